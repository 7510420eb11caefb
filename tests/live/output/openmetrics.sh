#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=openmetrics: Prometheus' parsers read it, and it has the numbers of the CSV output of the same run.
# @vm no: the format of a file, the kernel has no part in it
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
/usr/bin/python3 -c 'import prometheus_client.openmetrics.parser' 2>/dev/null || { echo "needs python3-prometheus-client"; exit 77; }
bad=0
read=$SRCDIR/tests/live/output/read

complain() {
	echo "$1"
	bad=1
}

trace() { # OPTION...
	status=0
	rm -f c
	"$DTRACE" --output=openmetrics:m --output=csv:c -q "$@" >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "0 " ]] || complain "$*: status $status, $(<err.txt)"
}

check() { # TYPES
	/usr/bin/python3 -B "$read/openmetrics.py" m c >types 2>err.txt || complain "$(tail -n 1 err.txt) $(<m)"
	[[ $(<types) == "$1" ]] || complain "types: $(<types)"
	# status 3 is advice about names and help texts, which the older format has on other lines
	if command -v promtool >/dev/null; then
		promtool check metrics <m >promtool.txt 2>&1
		[[ $? == [03] ]] || complain "promtool: $(<promtool.txt)"
	fi
}

# each function, labels with what is reserved, keys that are numbers, none, bytes that are not UTF-8
trace -n 'BEGIN { @c["a\"b\\c\nd", -1] = count(); @c["", 2] = count(); @c["e", 3] = count(); @c["e", 3] = count();
	@s["x"] = sum(-9223372036854775807); @mi["x"] = min(-5); @ma["x"] = max(7); @av["x"] = avg(3); @av["x"] = avg(4);
	@sd["x"] = stddev(1); @sd["x"] = stddev(9); @nokey = sum(3); @[1] = count();
	@st[stack()] = count(); exit(0); }'
check 'dtrace_c counter
dtrace_s gauge
dtrace_mi gauge
dtrace_ma gauge
dtrace_av gauge
dtrace_sd gauge
dtrace_nokey gauge
dtrace_count counter
dtrace_st counter'
grep -qxF 'dtrace_c_total{key1="a\"b\\c\nd",key2="-1"} 1' m || complain "labels: $(grep '^dtrace_c_' m)"
grep -qx 'dtrace_nokey 3' m || complain "no keys: $(grep nokey m)"
[[ $(tail -n 1 m) == '# EOF' ]] || complain "end: $(tail -n 1 m)"

# distributions: bounds within and next to each other, below zero, the lowest and the highest number
trace -n 'BEGIN { @q["x"] = quantize(0); @q["x"] = quantize(5); @q["x"] = quantize(8); @q["x"] = quantize(1048576, 3);
	@q["y"] = quantize(-1); @q["y"] = quantize(-9223372036854775807); @q["y"] = quantize(9223372036854775807);
	@l = lquantize(-7, -5, 20, 5); @l = lquantize(3, -5, 20, 5); @l = lquantize(99, -5, 20, 5);
	@ll[1] = llquantize(123456, 10, 0, 6, 20); @ll[1] = llquantize(999999999, 10, 0, 6, 20); exit(0); }'
check 'dtrace_q histogram
dtrace_l histogram
dtrace_ll histogram'
want='dtrace_q_bucket{key1="x",le="-1.0"} 0
dtrace_q_bucket{key1="x",le="0.0"} 1
dtrace_q_bucket{key1="x",le="3.0"} 1
dtrace_q_bucket{key1="x",le="7.0"} 2
dtrace_q_bucket{key1="x",le="15.0"} 3
dtrace_q_bucket{key1="x",le="1.048575e+06"} 3
dtrace_q_bucket{key1="x",le="2.097151e+06"} 6
dtrace_q_bucket{key1="x",le="+Inf"} 6'
[[ $(grep 'key1="x"' m) == "$want" ]] || complain "quantize(): $(<m)"
grep -q '_sum\|_count' m && complain "a sum that is not exact: $(<m)"
[[ $(awk '/^dtrace_l_/ { print $NF }' m | tail -n 1) == 3 ]] || complain "lquantize(): $(grep '^dtrace_l_' m)"

# normalize(); printa() with several; names of metrics that would be the same
trace -n 'BEGIN { @a["x"] = count(); @a["x"] = count(); @a["x"] = count(); @a["x"] = count(); @b["x"] = sum(6); @b["y"] = sum(4);
	@d["x"] = quantize(3, 6); normalize(@a, 2); normalize(@b, 2); normalize(@d, 3); printa(@a, @b); printa(@d); exit(0); }'
check 'dtrace_a counter
dtrace_b gauge
dtrace_d histogram'
grep -qx 'dtrace_a_total{key1="x"} 2' m && grep -qx 'dtrace_b{key1="y"} 2' m || complain "normalize(): $(<m)"
trace -n 'BEGIN { @x = count(); @x_total = sum(1); @count["a"] = count(); @["b"] = count(); exit(0); }'
check 'dtrace_x counter
dtrace_x_total_2 gauge
dtrace_count counter
dtrace_count_4 counter'

# keys that look alike are numbered; no histogram of counts below zero
printf '#!/bin/sh\n%s 1\n%s 1\n' "$BUILD/tests/live/triggers/frames" "$BUILD/tests/live/triggers/frames" >twice
chmod +x twice
"$DTRACE" --output=openmetrics:m --output=csv:alike -qn 'syscall::getppid:entry /execname == "frames" && progenyof($target)/ {
	@f[ustack(1)] = count(); @n = quantize(1, -1); }' -c ./twice >out.txt 2>err.txt
rows=$(grep -c '^f,' alike)
[[ $rows == 2 && $(grep -c '^dtrace_f_total' m) == "$rows" && $(grep -c 'row="2"' m) == $((rows - 1)) &&
	$(grep '^dtrace_f_total' m | cut -d ' ' -f 1 | sort -u | wc -l) == "$rows" ]] || complain "alike: $(<m)"
grep -q '^dtrace_n_' m && complain "below zero: $(<m)"
[[ $(<err.txt) == *"openmetrics: dtrace_n: distributions with counts below zero are left out: 1" ]] || complain "below zero: $(<err.txt)"

# what was printed stays, also after clear(); others are as they are now
trace -n 'BEGIN { @p["x"] = sum(5); printa(@p); clear(@p); @now["x"] = sum(1); } END { @now["x"] = sum(2); }
	tick-100ms { exit(0); }' -x aggrate=20ms
grep -qx 'dtrace_p{key1="x"} 5' m && grep -qx 'dtrace_now{key1="x"} 3' m || complain "printed: $(<m)"

# the file is replaced while tracing, as a whole each time, and keeps its mode
: >m
chmod 640 m
"$DTRACE" --output=openmetrics:m -x aggrate=50ms -qn 'tick-10ms { @n["ticks"] = count(); }' >out.txt 2>err.txt &
tracer=$!
seen=()
for ((i = 0; i < 400 && ${#seen[@]} < 4; i++)); do
	[[ -s m ]] && cp m copy && {
		[[ $(tail -n 1 copy) == '# EOF' ]] || complain "half a file: $(<copy)"
		n=$(awk '/^dtrace_n_total/ { print $NF }' copy)
		[[ -n $n && " ${seen[*]} " != *" $n "* ]] && seen+=("$n")
	}
	sleep 0.05
done
kill -s TERM $tracer
wait $tracer || complain "while tracing: status $?"
[[ ${#seen[@]} == 4 && $(tr ' ' '\n' <<<"${seen[*]}" | sort -n | tr '\n' ' ') == "${seen[*]} " ]] || complain "while tracing: ${seen[*]}"
[[ $(awk '/^dtrace_n_total/ { print $NF }' m) -ge ${seen[3]:-0} && $(stat -c %a m) == 640 ]] || complain "at the end: $(<m)"
[[ $(ls -A | grep -c '^\.dtrace') == 0 && ! -s err.txt ]] || complain "left: $(ls -A) $(<err.txt)"

# printa() writes, too, but not more often than once a second
"$DTRACE" --output=openmetrics:e -qn 'BEGIN { @p["x"] = count(); } tick-10ms { printa(@p); }' >out.txt 2>err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
	[[ -s e ]] && break
	sleep 0.05
done
[[ -s e ]] || complain "printa(): no file"
kill -s TERM $tracer
wait $tracer || complain "printa(): status $?"

# streams, and what cannot be written
"$DTRACE" --output=openmetrics -qn 'BEGIN { @n["x"] = count(); exit(0); }' >stream 2>err.txt || complain "stream: $(<err.txt)"
[[ $(<stream) == $'# TYPE dtrace_n counter\n# HELP dtrace_n @n: count()\ndtrace_n_total{key1="x"} 1\n# EOF' ]] || complain "stream: $(<stream)"
status=0
"$DTRACE" --output=openmetrics:/dev/full -qn 'BEGIN { @n["x"] = count(); exit(0); }' >out.txt 2>err.txt || status=$?
[[ "$status $(<err.txt)" == "1 dtrace: processing aborted: failed to write to "*": No space left on device" ]] || complain "full: $status $(<err.txt)"
status=0
"$DTRACE" --output=openmetrics:no/such -qn 'BEGIN { exit(0); }' >out.txt 2>err.txt || status=$?
[[ "$status $(<err.txt)" == "1 dtrace: failed to open output file 'no/such': No such file or directory" ]] || complain "folder: $status $(<err.txt)"
exit $bad
