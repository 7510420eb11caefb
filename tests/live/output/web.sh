#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --web: the server answers only who has the token and names this host, has no rights, sends what the text output prints, and ends with the
# tracer, however that ends; a server that is stopped and a browser that takes nothing do not delay tracing.
# @vm no: the kernel has no part in it
# @needs curl
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v curl >/dev/null || { echo "no curl"; exit 77; }
ldconfig -p | grep -q libmicrohttpd.so.12 || { echo "no libmicrohttpd"; exit 77; }

fail=0
complain() { echo "$*"; fail=1; }
tracer= server= url=

# Starts dtrace --web with program $1.
start() {
	: >err.txt # that of the last one has an address, too
	# with groups and capabilities that changing the user does not take away
	setpriv --groups 4,24 --inh-caps +chown,+net_admin "$DTRACE" --web -qn "$1" >out.txt 2>err.txt &
	tracer=$!
	for ((i = 0; i < 200; i++)); do
		url=$(sed -n 's/^dtrace: open //p' err.txt)
		[[ $url ]] && break
		sleep 0.05
	done
	server=$(cat /proc/"$tracer"/task/*/children | awk '{ print $1 }')
}
# The first line of the answer's head.
answer() { curl -s -m 5 -D - -o /dev/null "$@" | head -1 | tr -d '\r'; }
expect() { # STATUS WHAT CURL-ARGUMENTS...
	local want=$1 what=$2 got

	shift 2
	got=$(answer "$@")
	[[ $got == "HTTP/1.1 $want"* ]] || complain "$what: $got"
}
gone() { # PID WHAT
	for ((i = 0; i < 80; i++)); do
		kill -0 "$1" 2>/dev/null || return
		sleep 0.05
	done
	complain "$2: the server is still there"
	kill -9 "$1"
}

start 'tick-10ms { @n["key <b>"] = count(); @q = quantize(7); } tick-10ms /++i == 400/ { exit(0); }'
[[ $url =~ ^http://127\.0\.0\.1:[0-9]+/[0-9a-v]{32}/$ ]] || complain "address: $url"
base=${url%/*/}
expect 200 page "$url"
expect 404 "no token" "$base/"
expect 404 "wrong token" "${url%?/}x/"
expect 404 "another page" "${url}secret"
expect 403 "another host" -H 'Host: example.org' "$url"
expect 403 "another origin" -H 'Origin: http://example.org' "${url}events"
expect 200 "own origin" -H "Origin: $base" "$url"
expect 405 "a POST" -d x=1 "$url"
expect 405 "a DELETE" -X DELETE "$url"
curl -s -D head.txt "$url" >page.html
grep -qi '^set-cookie' head.txt && complain "a cookie"
grep -qi "^content-security-policy: default-src 'none'; script-src 'sha256-.*connect-src 'self'" head.txt || complain "policy: $(<head.txt)"

rights=$(grep -E '^(Uid|Gid|Groups|CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):' /proc/"$server"/status | tr '\n' ' ' | tr -s '\t ' ' ')
zero=0000000000000000
[[ $rights == "Uid: 65534 65534 65534 65534 Gid: 65534 65534 65534 65534 Groups: CapInh: $zero CapPrm: $zero CapEff: $zero CapBnd: $zero CapAmb: $zero NoNewPrivs: 1 Seccomp: 2 " ]] ||
	complain "rights: $rights"
# neither the tracer's maps and programs nor its output are open there
others=$(readlink /proc/"$server"/fd/* | grep -vE '^(socket:.*|anon_inode:\[event(poll|fd)\]|/dev/null)$')
[[ -z $others ]] || complain "open in the server: $others"

# a browser that takes nothing, and one that takes all
exec {stalled}<>/dev/tcp/127.0.0.1/"${base##*:}"
printf 'GET %s/events HTTP/1.1\r\nHost: %s\r\n\r\n' "/${url#"$base"/}" "${base#http://}" | sed 's,//,/,g' >&"$stalled"
curl -sN -m 20 "${url}events" >events.txt
wait "$tracer"
exec {stalled}>&-
grep -c '^event: tables' events.txt | grep -qE '^[3-6]$' || complain "$(grep -c '^event: tables' events.txt) documents"
[[ $(grep '^event:' events.txt | tail -1) == "event: end" ]] || complain "the last event is $(grep '^event:' events.txt | tail -1)"
last=$(grep -A1 '^event: tables' events.txt | grep '^data' | tail -1)
[[ $last == *'"name":"n","function":"count","total":1,"rows":[{"keys":["key \u003cb\u003e"],"value":400}]'* ]] || complain "last tables: $last"
[[ $last == *'"buckets":[[4,7,400]]'* ]] || complain "last distribution: $last"
grep -qE '^ +key <b> +400$' out.txt || complain "text: $(<out.txt)"
gone "$server" "the end"

# killed
start 'tick-1s { @ = count(); }'
kill -9 "$tracer"
wait "$tracer" 2>/dev/null
gone "$server" "a killed tracer"

# a stopped server: nothing waits for it but the end, 0.3 s; for one that runs it waits 2.5 s
start 'tick-10ms { @[i++ % 5000, "a long key to fill the socket"] = count(); } tick-10ms /i == 300/ { printf("full\n"); }'
curl -sN -m 1 "${url}events" >/dev/null
kill -STOP "$server"
until grep -q full out.txt; do sleep 0.05; done
before=$(date +%s%N)
kill -TERM "$tracer" # a shell has these processes ignore SIGINT
wait "$tracer" || complain "stopped server: status $?"
took=$((($(date +%s%N) - before) / 1000000))
((took < 1500 * ${TIMEOUT_SCALE:-1})) || complain "a stopped server held the tracer for $took ms"
kill -0 "$server" 2>/dev/null && { complain "the stopped server is still there"; kill -9 "$server"; }

# a port that is taken, and none
start 'tick-1s { @ = count(); }'
port=${url#http://127.0.0.1:} port=${port%%/*}
[[ $("$DTRACE" --web="$port" -n 'BEGIN { exit(0); }' 2>&1) == "dtrace: --web: cannot listen at the port: Address already in use" ]] ||
	complain "a taken port"
kill "$tracer"
wait "$tracer"
gone "$server" "SIGTERM"
for port in x 65536 -1 ''; do
	"$DTRACE" --web="$port" -n 'BEGIN { exit(0); }' >out.txt 2>&1
	[[ $? == 2 && $(<out.txt) == "dtrace: --web=$port: a port is a number up to 65535" ]] || complain "--web=$port: $(<out.txt)"
done
for flags in "-e" "-l" "-h"; do
	"$DTRACE" --web $flags -n BEGIN >out.txt 2>&1
	[[ $? == 2 && $(<out.txt) == "dtrace: --top and --web not valid in combination with [-eGhl] or --view options" ]] || complain "--web $flags: $(<out.txt)"
done
exit $fail
