#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=graphite: a receiver has the numbers of the CSV output; one that is absent, slow or dies delays nothing.
# @needs python3
# @vm no: what is sent over TCP, the kernel that traces has no part in it
# @timeout 180
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0
read=$SRCDIR/tests/live/output/read
receiver=

complain() {
	echo "$1"
	bad=1
}

receive() { # MODE [PORT]: the port is in $port
	rm -f port lines
	python3 -B "$read/receiver.py" "$1" lines ${2:+"$2"} 2>receiver.txt &
	receiver=$!
	for ((i = 0; i < 400; i++)); do
		[[ -s port ]] && break
		sleep 0.05
	done
	port=$(<port)
}

end_receiver() {
	kill $receiver 2>/dev/null
	wait $receiver 2>/dev/null
}

send() { # OPTION...
	status=0
	rm -f c
	"$DTRACE" --output=graphite:127.0.0.1:$port --output=csv:c -q "$@" >out.txt 2>err.txt || status=$?
}

everything='BEGIN { @c["a b.c/%", -1] = count(); @c["", 2] = count(); @s["x"] = sum(-9223372036854775807); @s["x"] = sum(1);
	@av["x"] = avg(3); @av["x"] = avg(4); @nokey = max(3); @[1] = count(); @q["x"] = quantize(-5); @q["x"] = quantize(9, 3);
	@q["x"] = quantize(9223372036854775807); @n["x"] = sum(10); normalize(@n, 4); @st[stack()] = count(); exit(0); }'

# the lines of CSV as paths
paths() {
	python3 -c '
import csv, re
header = None
for row in csv.reader(open("c", newline="")):
    if not row or row[0] == "name":
        header = row or None
        continue
    value = row.pop()
    bucket = ["_to_".join([row.pop(-2), row.pop()])] if header[-3:] == ["low", "high", "count"] else []
    keys = [re.sub(rb"[^A-Za-z0-9_-]", lambda m: b"%%%02x" % m[0][0], k.encode()).decode() or "%00" for k in row[1:]]
    if row[0] != "st":
        print(".".join(["dtrace", row[0], *keys, *bucket]), value)'
}

# every line once, with the time of the trace
receive read
before=$(date +%s)
send -n "$everything"
wait $receiver || complain "receiver: $(<receiver.txt)"
[[ "$status $(<err.txt)" == "0 dtrace: graphite: @st is left out: a stack is no part of a path" ]] || complain "sent: $status $(<err.txt)"
diff <(paths | sort) <(cut -d ' ' -f 1,2 lines | sort) || complain "lines: $(<lines)"
while read -r _ _ time; do
	[[ $time -ge $before && $time -le $(date +%s) ]] || complain "time $time"
done <lines
[[ $(wc -l <lines) -ge 10 ]] || complain "too few: $(<lines)"

# Carbon stores them
carbon() {
	local python=/usr/bin/python3 cache=/usr/bin/carbon-cache
	[[ -x $cache ]] && $python -c 'import whisper' 2>/dev/null || return
	mkdir -p carbon/{data,log}
	printf '[all]\npattern = .*\nretentions = 1s:1h\n' >carbon/storage-schemas.conf
	receive read # for a free port
	end_receiver
	cat >carbon/carbon.conf <<-END
		[cache]
		STORAGE_DIR = $PWD/carbon/
		LOCAL_DATA_DIR = $PWD/carbon/data/
		CONF_DIR = $PWD/carbon/
		LOG_DIR = $PWD/carbon/log/
		PID_DIR = $PWD/carbon/
		USER =
		LINE_RECEIVER_INTERFACE = 127.0.0.1
		LINE_RECEIVER_PORT = $port
		PICKLE_RECEIVER_PORT = 0
		CACHE_QUERY_PORT = 0
		MAX_CREATES_PER_MINUTE = inf
		MAX_UPDATES_PER_SECOND = 5000
		WHISPER_AUTOFLUSH = True
	END
	$python $cache --config="$PWD/carbon/carbon.conf" --nodaemon start >carbon.txt 2>&1 &
	receiver=$!
	for ((i = 0; i < 300; i++)); do
		(: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
		sleep 0.1
	done
	send -n "$everything"
	[[ $status == 0 ]] || complain "Carbon: $status $(<err.txt) $(tail -n 3 carbon.txt)"
	for ((i = 0; i < 100; i++)); do
		[[ $(find carbon/data -name '*.wsp' -path '*/dtrace/*' | wc -l) == $(paths | wc -l) ]] && break
		sleep 0.1
	done
	sleep 0.5
	end_receiver
	while read -r path value; do
		$python -c '
import sys, whisper
points = whisper.fetch(sys.argv[1], 0)[1]
assert [p for p in points if p is not None] == [float(sys.argv[2])], points' "carbon/data/${path//.//}.wsp" "$value" 2>whisper.txt ||
			complain "Carbon, $path $value: $(tail -n 1 whisper.txt)"
	done < <(paths)
}
carbon

# at intervals, what is printed when it is printed, and after clear()
receive read
send -x aggrate=100ms -n 'BEGIN { @p["x"] = sum(5); printa(@p); clear(@p); } tick-50ms { @t["y"] = count(); } tick-1s { exit(0); }'
wait $receiver
[[ $(grep -c '^dtrace.p' lines) == 1 && $(grep -c '^dtrace\.p\.x 5 ' lines) == 1 ]] || complain "printed: $(grep '^dtrace.p' lines)"
[[ $(grep -c '^dtrace\.t\.y ' lines) -ge 5 ]] || complain "intervals: $(<lines)"
diff <(paths | grep '\.t\.') <(grep '\.t\.' lines | tail -n 1 | cut -d ' ' -f 1,2) || complain "the last one: $(<lines)"

# a connection that breaks: everything is sent again, no line is cut
receive drop
send -x aggrate=100ms -n 'BEGIN { @a["x"] = count(); @b["y"] = sum(7); } tick-2s { exit(0); }'
wait $receiver
[[ $status == 0 && $(<err.txt) == "dtrace: graphite: 127.0.0.1:$port: "*"; it is tried again every second" ]] || complain "broken: $status $(<err.txt)"
grep -qvE '^dtrace\.(a\.x 1|b\.y 7) [0-9]+$' lines && complain "broken: $(<lines)"
[[ $(grep -c . lines) -ge 20 ]] || complain "broken: only $(<lines)"

# nobody there: at once an error at the end, and the trace is complete
receive read
end_receiver
start=${EPOCHREALTIME/./}
send -n 'BEGIN { @a["x"] = count(); exit(0); }'
[[ $status == 1 && $(tail -n 1 err.txt) == "dtrace: processing aborted: graphite: 127.0.0.1:$port: all values were lost: Connection refused" ]] ||
	complain "absent: $status $(<err.txt)"
grep -q '^a,x,1$' c || complain "absent: $(<c)"
[[ $((${EPOCHREALTIME/./} - start)) -lt $((8000000 * ${TIMEOUT_SCALE:-1})) ]] || complain "absent: it took too long"

# somebody who comes later gets what waited
send -x aggrate=100ms -n 'BEGIN { @a["x"] = count(); } tick-3s { exit(0); }' &
tracer=$!
sleep 0.7
old=$port
receive read "$old"
wait $tracer
wait $receiver
[[ $(grep -c '^dtrace\.a\.x 1 ' lines) -ge 25 ]] || complain "late: $(wc -l <lines) lines"

# one that reads nothing: 2 s at the end are lost, and nothing of the trace
receive stall
send -x aggrate=10ms -n 'BEGIN { start = timestamp; } tick-1ms { @a[n++ % 5000] = count(); } tick-4s { exit(0); }
	END { @ticks = sum(n); @took = max((timestamp - start) / 1000000); }'
end_receiver
[[ $status == 0 && $(tail -n 1 err.txt) =~ ^"dtrace: graphite: 127.0.0.1:$port: "([0-9]+)" of "([0-9]+)" values were lost: it does not take them"$ &&
	${BASH_REMATCH[1]} -gt 1000 && ${BASH_REMATCH[1]} -lt ${BASH_REMATCH[2]} ]] || complain "stalled: $status $(<err.txt)"
ticks=$(awk -F , '/^ticks,/ { print $NF }' c)
[[ $(awk -F , '/^a,/ { n += $NF } END { print n }' c) == "$ticks" && $ticks -ge 1000 ]] || complain "stalled: $ticks ticks, $(grep -c '^a,' c)"
[[ $(awk -F , '/^took,/ { print $NF }' c) -lt $((6000 * ${TIMEOUT_SCALE:-1})) ]] || complain "stalled: the end came late: $(grep '^took' c)"

# addresses
for address in '127.0.0.1:x the port is not a number from 1 to 65535' '127.0.0.1:99999 the port is not a number from 1 to 65535' \
	'no.such.host.invalid:1 the address is unknown'; do
	status=0
	"$DTRACE" --output=graphite:"${address%% *}" -qn 'BEGIN { printf("ran"); exit(0); }' >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: could not enable tracing: graphite: ${address#* }" && ! -s out.txt ]] ||
		complain "$address: $status $(<err.txt)"
done
# a name can have addresses that nobody listens on
if getent hosts localhost >/dev/null; then
	receive read
	"$DTRACE" --output=graphite:localhost:$port -qn 'BEGIN { @["x"] = count(); exit(0); }' >out.txt 2>err.txt || complain "localhost: $(<err.txt)"
	wait $receiver
	[[ $(<lines) == 'dtrace._.x 1 '* && ! -s err.txt ]] || complain "localhost: $(<lines) $(<err.txt)"
fi
receive read
"$DTRACE" --output=graphite:"[::ffff:127.0.0.1]:$port" --output=text -qn 'BEGIN { printf("ran"); @["x"] = count(); exit(0); }' >out.txt 2>err.txt ||
	complain "IPv6: $(<err.txt)"
wait $receiver
[[ $(head -n 1 out.txt) == ran && $(<lines) == 'dtrace._.x 1 '* ]] || complain "IPv6: $(<out.txt) $(<lines)"
exit $bad
