#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output: what it cannot write to, and what else goes to its stream.
# @vm no: the text of messages and output, the kernel has no part in it
# @ref cli 2.2 freopen all-of-stdout not-stderr appends after-compiling
# @ref cli 3.2 write-output write-stdout
# @ref cli 5.3 error usage
# @ref output 15 system-stdout
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

try() { # OPTION...
	status=0
	timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" "$@" >out.txt 2>err.txt </dev/null || status=$?
}

refused() { # STATUS MESSAGE OPTION...
	local want="$1 dtrace: $2"
	shift 2
	try "$@" -qn 'BEGIN { printf("ran"); exit(0); }'
	[[ "$status $(<err.txt)" == "$want" ]] || complain "$*: got $status $(<err.txt), expected $want"
}

formats='text json folded csv'
formats+=' flamegraph heatmap'
formats+=' pprof speedscope perfetto openmetrics graphite clickhouse'
refused 2 "--output=yaml: no such format; there are $formats" --output=yaml
refused 2 "--output=: no such format; there are $formats" --output=
refused 2 '--output=json: there is no file name after the colon' --output=json:
refused 2 '--output=text: another output goes to the same place, or is text, too' --output=json --output=text
refused 2 '--output=text: another output goes to the same place, or is text, too' --output=text:a --output=text:b
refused 2 '--output=csv: another output goes to the same place, or is text, too' --output=json:a --output=csv:a
refused 1 '--output=csv: another output goes to the same place' --output=json:a --output=csv:./a
refused 1 '--output=text: another output goes to the same place' --output=json:/dev/stdout --output=text
refused 1 "failed to open output file './no/such': No such file or directory" --output=json:./no/such
refused 1 "failed to open output file '.': Is a directory" --output=json:.
for format in text json csv folded; do
	program='BEGIN { printf("ran"); @a[stack()] = count(); @b["x"] = count(); exit(0); }'
	try --output=$format:/dev/full -qn "$program"
	[[ "$status $(<err.txt)" == "1 dtrace: failed to write to /dev/full: No space left on device" ]] ||
		complain "$format, full: $status $(<err.txt)"
	status=0
	"$DTRACE" --output=$format -qn "$program" >/dev/full 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: failed to write to <stdout>: No space left on device" ]] ||
		complain "$format, stdout full: $status $(<err.txt)"
	status=0
	"$DTRACE" --output=$format -qn "$program" >&- 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: failed to write to <stdout>: Bad file descriptor" ]] ||
		complain "$format, stdout closed: $status $(<err.txt)"
	# closed, but not used
	status=0
	"$DTRACE" --output=$format:f.$format -qn "$program" >&- 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "0 " && -s f.$format ]] || complain "$format, stdout closed, a file: $status $(<err.txt)"
	size=$(stat -c %s f.$format)
	try --output=$format:f.$format -qn "$program"
	[[ $(stat -c %s f.$format) -gt $size ]] || complain "$format: not appended to"
	# a file that is not made before everything compiles
	try --output=$format:g.$format -qn 'BEGIN { trace(nope); }'
	[[ $status == 1 && ! -e g.$format ]] || complain "$format: status $status, or a file of a program that does not compile"
done

# while BEGIN's output is written, which the buffer of a stream cannot hold
for format in text json perfetto; do
	try --output=$format:/dev/full -qn 'BEGIN { printf("%9000d", 1); exit(0); }'
	began=
	[[ $format != perfetto ]] || began='could not enable tracing: ' # the library writes it by itself
	[[ "$status $(<err.txt)" == "1 dtrace: ${began}failed to write to /dev/full: No space left on device" ]] ||
		complain "$format, much of BEGIN: $status $(<err.txt)"
done

# not root any more: a file that may not be written
touch locked
chmod 444 locked
chattr +i locked 2>/dev/null && {
	refused 1 "failed to open output file 'locked': Operation not permitted" --output=json:locked
	chattr -i locked
}

# what system() writes is not in the JSON, nor a child's output, nor messages
valid() { # FILE
	python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$1" 2>json.txt
}
try --output=json -wqn 'BEGIN { printf("one\n"); system("echo from system; echo more >&2"); }
	BEGIN { trace(*(int *)8); }
	BEGIN { printf("two\n"); freopen("reopened"); printf("three\n"); freopen(""); exit(0); }'
valid out.txt || complain "system() in the JSON: $(<out.txt) $(tail -n 1 json.txt)"
grep -q '"text":"three\\n"' out.txt || complain "freopen(): $(<out.txt)"
grep -q '^more$' err.txt || complain "stderr of system(): $(<err.txt)"
grep -q '^from system$' err.txt || complain "stdout of system() is not on stderr: $(<err.txt)"
try --output=json:j.txt --output=text -wqn 'BEGIN { printf("one\n"); system("echo from system"); printf("two\n"); exit(0); }'
[[ $(<out.txt) == $'one\nfrom system\ntwo' ]] || complain "text beside JSON: $(<out.txt)"
valid j.txt || complain "JSON in a file: $(<j.txt)"

# -o is where an --output without a file goes
try --output=json -o o.txt -wqn 'BEGIN { system("echo from system"); exit(0); }'
valid o.txt || complain "-o: $(<o.txt)"
[[ $(<out.txt) == "from system" ]] || complain "-o: on stdout $(<out.txt)"
exit $bad
