#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Go's own pprof reads the file of --output=pprof: types, samples, labels and names are those of the folded stacks of the same run.
# @needs python3
# @vm no: the format of files, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
export HOME=$PWD # it may write there
tool=$(go env GOTOOLDIR 2>/dev/null)/pprof
[[ -x $tool ]] || { echo "there is no pprof of Go (package golang-go)"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

"$DTRACE" --output=pprof:p.pb.gz --output=folded:folded -qn 'syscall::getppid:entry /pid == $target/
	{ @n[execname, ustack(3), 5] = count(); @s[execname, ustack(3), 5] = sum(7); }' -c "$BUILD/tests/live/triggers/frames 4"
"$tool" -symbolize=none -raw p.pb.gz >raw 2>err || complain "pprof: status $?: $(<err)"
python3 - >got <<'P' || complain "pprof -raw has another form: $(<raw)"
import re
text = open("raw").read()
types, samples = re.search(r"^Samples:\n(.*)\n((?:.*\n)*?)Locations\n", text, re.M).groups()
names = dict(re.findall(r"^ +(\d+): 0x\S+ M=\d+ (\S+) ", text, re.M))
print(types.replace("[dflt]", ""))
for values, ids, labels in re.findall(r"^ +(\d[\d ]*): ([\d ]*\d) *\n((?: {16}\S.*\n)*)", samples, re.M):
    key = ";".join(re.findall(r":\[([^]\s]+)", labels))
    print(key, ";".join(names[i] for i in reversed(ids.split())), *values.split())
P
want='n_count/count s_sum/unit
frames;5 main;other;inner 1 7
frames;5 outer;middle;inner 4 28'
[[ $(sort got) == "$(sort <<<"$want")" ]] || complain "samples: $(<got)"
want='frames;5;frames`main;frames`other;frames`inner 1
frames;5;frames`outer;frames`middle;frames`inner 4'
[[ $(grep -E ' [14]$' folded | sort) == "$want" ]] || complain "the folded stacks are not these: $(<folded)"
"$tool" -symbolize=none -sample_index=s_sum -top p.pb.gz >top 2>err || complain "pprof -top: $(<err)"
[[ $(awk '$NF == "inner" { print $1, $4 }' top) == '35 35' && $(awk '$NF == "middle" { print $1, $4 }' top) == '0 28' ]] ||
	complain "pprof -top: $(<top)"
exit $bad
