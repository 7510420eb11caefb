#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=openmetrics:HOST:PORT: metrics at a port while tracing, which Prometheus scrapes; who may ask for what; ports that are taken.
# @vm no: what is sent over TCP, the kernel has no part in it
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v curl >/dev/null || { echo "no curl"; exit 77; }
bad=0 prometheus=''
complain() {
	echo "$1"
	bad=1
}

# Starts a tracer; $url is what it prints.
start() { # ADDRESS OPTION...
	"$DTRACE" --output="openmetrics:$1" -x aggrate=100ms -qn 'tick-20ms { @n["ticks"] = count(); @q = quantize(n++); }' "${@:2}" \
		>out.txt 2>err.txt &
	tracer=$!
	for ((i = 0; i < 400; i++)); do
		url=$(sed -n 's/^dtrace: openmetrics: \(http:.*\)/\1/p' err.txt)
		[[ $url ]] && return
		kill -0 $tracer 2>/dev/null || break
		sleep 0.05
	done
	[[ $(<err.txt) == *libmicrohttpd* ]] && { echo "needs libmicrohttpd"; exit 77; }
	complain "$1: no address: $(<err.txt)"
}

end() {
	kill -s TERM $tracer
	wait $tracer || complain "status $?"
}
trap '[[ -z $prometheus ]] || kill $prometheus' EXIT

# ticks: the count that a scrape has, once there is one
ticks() {
	local n i
	for ((i = 0; i < 200; i++)); do
		n=$(curl -s "$url" | awk '/^dtrace_n_total/ { print $NF }')
		[[ $n && $n -gt ${1:-0} ]] && break
		sleep 0.05
	done
	echo "${n:-0}"
}

start :0
[[ $url == http://127.0.0.1:*/metrics ]] || complain "address: $url"
first=$(ticks)
second=$(ticks "$first")
[[ $first -gt 0 && $second -gt $first ]] || complain "the metrics do not change: $first, $second"
curl -s "$url" >m
[[ $(tail -n 1 m) == '# EOF' && $(grep -c '^dtrace_q_bucket' m) -gt 2 ]] || complain "metrics: $(<m)"
type=$(curl -s -o /dev/null -w '%{content_type}' "$url")
[[ $type == 'application/openmetrics-text; version=1.0.0; charset=utf-8' ]] || complain "type: $type"
for ask in "404 ${url%metrics}" "404 ${url}x" "404 ${url%metrics}events" "405 -d x $url" "200 -I $url" "200 -H Host:example.com $url"; do
	# shellcheck disable=SC2086
	got=$(curl -s -o /dev/null -w '%{http_code}' ${ask#* })
	[[ $got == "${ask%% *}" ]] || complain "$ask: $got"
done

# a port that is taken, an address of others
port=${url%/metrics} port=${port##*:}
for address in "127.0.0.1:$port another process listens at this port" "192.0.2.1:1 this machine has no such address"; do
	status=0
	"$DTRACE" --output="openmetrics:${address%% *}" -qn 'BEGIN { exit(0); }' >out2.txt 2>err2.txt || status=$?
	[[ "$status $(<err2.txt)" == "1 dtrace: could not enable tracing: openmetrics: ${address#* }" ]] ||
		complain "$address: $status $(<err2.txt)"
done

# Prometheus itself
if command -v prometheus >/dev/null; then
	printf 'global: {scrape_interval: 200ms}\nscrape_configs: [{job_name: t, static_configs: [{targets: ["127.0.0.1:%s"]}]}]\n' "$port" >p.yml
	for ((own = 20000 + RANDOM % 10000; ; own++)); do
		(: <>"/dev/tcp/127.0.0.1/$own") 2>/dev/null || break
	done
	prometheus --config.file=p.yml --storage.tsdb.path=p --web.listen-address="127.0.0.1:$own" >p.log 2>&1 &
	prometheus=$!
	for ((i = 0; i < 400; i++)); do
		value=$(curl -s "http://127.0.0.1:$own/api/v1/query?query=dtrace_n_total" | sed -n 's/.*"key1":"ticks".*,"\([0-9]*\)"\].*/\1/p')
		[[ $value ]] && break
		sleep 0.05
	done
	[[ ${value:-0} -gt 0 ]] || complain "Prometheus has no value: $(tail -n 3 p.log)"
	kill $prometheus
	wait $prometheus
	prometheus=
fi

# the server is not root's, and tracing goes on without it
server=$(pgrep -P $tracer)
[[ $(stat -c %U "/proc/$server") == nobody ]] || complain "the server is $(stat -c %U "/proc/$server")'s"
kill -9 "$server"
for ((i = 0; i < 100; i++)); do
	grep -q 'the process that serves the metrics has died' err.txt && break
	sleep 0.05
done
sleep 0.3
[[ $(grep -c 'has died' err.txt) == 1 ]] || complain "the server's end: $(<err.txt)"
end

# IPv6, and a file that is named like an address
if [[ -e /proc/net/if_inet6 ]] && grep -q ' lo$' /proc/net/if_inet6; then
	start '[::1]:0'
	[[ $url == 'http://[::1]:'*/metrics && $(ticks) -gt 0 ]] || complain "IPv6: $url"
	end
fi
"$DTRACE" --output=openmetrics:./:1 -qn 'BEGIN { @n = count(); exit(0); }' || complain "a file: $?"
[[ -s :1 ]] || complain "no file"
exit $bad
