#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=pprof and speedscope: read back, they have the numbers of the folded stacks of the same run.
# @needs python3
# @vm no: the format of files, the kernel has no part in it
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0
frames=$BUILD/tests/live/triggers/frames
read=$SRCDIR/tests/live/output/read
probe='syscall::getppid:entry /pid == $target/'
command -v protoc >/dev/null || { echo "there is no protoc"; exit 77; }

complain() {
	echo "$1"
	bad=1
}

trace() { # PROGRAM
	status=0
	rm -f f # it would be appended to
	"$DTRACE" --output=pprof:p --output=speedscope:s --output=folded:f -qn "$1" -c "$frames 4" >out.txt 2>err.txt || status=$?
	[[ $status == 0 ]] || complain "$1: status $status, $(<err.txt)"
	gzip -dc p >p.raw || complain "$1: not compressed"
	protoc -I "$read" --decode=perftools.profiles.Profile profile.proto <p.raw >p.txt 2>protoc.txt && [[ ! -s protoc.txt ]] ||
		complain "$1: protoc says $(<protoc.txt)"
	python3 -B "$read/speedscope.py" s >s.txt || complain "$1: speedscope"
}

pprof() { # [TYPE]
	python3 -B "$read/pprof.py" "$@" <p.txt || complain "pprof $*"
}

same() { # WHAT FILE FILE
	diff "$2" "$3" >diff.txt || complain "$1: $(<diff.txt)"
}

grep_folded() { # REGEX
	grep -E "$1" f | sort
}

# one aggregation: text, numbers below and above zero, none, and a name with what JSON and folded stacks reserve
trace "$probe { @[execname, ustack(3), -5, \"a\\\"b\\\\c\"] = count(); @[execname, ustack(3), 0, \"\"] = count(); }"
sort f >want
[[ $(pprof) == 'count count' ]] || complain "types: $(pprof)"
pprof count >got
same 'count, pprof' want got
tail -n +2 s.txt >got
same 'count, speedscope' want got
[[ $(grep -c num_unit p.txt) == $(wc -l <f) ]] || complain "numbers are no numbers: $(grep -A 3 label p.txt)"
[[ ! -s err.txt ]] || complain "count: $(<err.txt)"

# several with keys that are alike are one profile; the others are named
trace "$probe { @n[ustack(3)] = count(); @s[ustack(3)] = sum(3); @q[ustack(3)] = quantize(4); @a[ustack(3)] = avg(2);
	@m[ustack(3)] = max(1); @k[stack(1)] = count(); @plain[execname] = count(); @i[1, ustack(3)] = sum(-1); }"
[[ $(pprof) == $'n_count count\ns_sum unit\nq_count count\nq_sum unit\na_count count\na_sum unit' ]] || complain "types: $(pprof)"
for type in n_count:4 s_sum:12 q_count:4 q_sum:22 a_count:4 a_sum:8; do
	[[ $(pprof ${type%:*} | grep 'middle;') == *" ${type#*:}" ]] || complain "$type: $(pprof ${type%:*})"
done
want='dtrace: pprof: @m is left out: values of max() do not add up
dtrace: pprof: @k is left out: its keys are not like those of @n
dtrace: pprof: @i is left out: its keys are not like those of @n
dtrace: speedscope: @m is left out: values of max() do not add up
dtrace: speedscope: @i: sums below zero are left out: 2'
[[ $(<err.txt) == "$want" ]] || complain "what is left out: $(<err.txt)"
want='== @n count
== @s sum
== @q quantize, number of values
== @q quantize, sum of values
== @a avg, number of values
== @a avg, sum of values
== @k count
== @i sum'
[[ $(grep '^==' s.txt) == "$want" ]] || complain "profiles: $(grep '^==' s.txt)"
[[ $(grep -A 1 -x '== @k count' s.txt | tail -n 1) == "$(grep_folded '^vmlinux')" ]] || complain "kernel: $(<s.txt)"

# records, and both stacks; normalize(); printa() and clear() add up
trace "$probe { stack(1); ustack(3); }"
sort f >want
pprof count >got
same 'records, pprof' want got
tail -n +2 s.txt >got
same 'records, speedscope' want got
trace "$probe { @[ustack(3), stack(2)] = count(); } END { normalize(@, 2); }"
grep -v ' 0$' f >want # no sample is nothing
pprof count >got
same 'normalize(), pprof' want got
grep -q 'middle.* 2$' got || complain "normalize(): $(<got)"
trace "$probe { @[ustack(3)] = count(); printa(@); clear(@); }"
awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) if (sum[s]) print s, sum[s] }' f | sort >want
pprof count >got
same 'clear(), pprof' want got
tail -n +2 s.txt >other
same 'clear(), speedscope' want other

# what is there is replaced
trace "$probe { @[ustack(3)] = count(); }"
same 'twice' <(pprof count) <(sort f)

# no stacks: before tracing, or when it has ended; no file either way
for format in pprof speedscope; do
	status=0
	"$DTRACE" --output=$format:none -qn 'BEGIN { @["x"] = count(); printf("ran"); exit(0); }' >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: could not enable tracing: $format: no aggregation has a stack in its key, and no stack is recorded" && ! -e none ]] ||
		complain "$format without stacks: $status $(<err.txt)"
	[[ ! -s out.txt ]] || complain "$format without stacks: it ran"
	status=0
	"$DTRACE" --output=$format:none -qn 'BEGIN { @[stack()] = min(1); exit(0); }' >out.txt 2>err.txt || status=$?
	[[ "$status $(tail -n 1 err.txt)" == "1 dtrace: processing aborted: $format: no aggregation with a stack in its key has values that add up" &&
		! -e none ]] || complain "$format of min(): $status $(<err.txt)"
	status=0
	"$DTRACE" --output=$format:/dev/full -qn 'BEGIN { @[stack()] = count(); exit(0); }' >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: processing aborted: failed to write to "*": No space left on device" ]] || complain "$format, full: $status $(<err.txt)"
	status=0
	"$DTRACE" --output=$format:no/such -qn 'BEGIN { @[stack()] = count(); exit(0); }' >out.txt 2>err.txt || status=$?
	[[ "$status $(<err.txt)" == "1 dtrace: failed to open output file 'no/such': No such file or directory" ]] ||
		complain "$format, no folder: $status $(<err.txt)"
	"$DTRACE" --output=$format -qn 'BEGIN { @[stack()] = count(); exit(0); }' >stream 2>err.txt || complain "$format to a stream: $(<err.txt)"
	[[ -s stream ]] || complain "$format to a stream: nothing"
done
exit $bad
