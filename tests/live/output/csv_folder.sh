#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --output=csv:FOLDER/: a file for each aggregation, and for what each clause records; files of an earlier run are replaced,
# others stay; a folder that cannot be made or written and a full disk are errors.
# @vm no: the text of messages and output, the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
fail() { echo "$*"; exit 1; }

run() { # WORD...
	"$DTRACE" "$@" -qn '
	BEGIN
	{
		@c["a,b"] = count(); @q = quantize(3); @ = sum(7); @none = count(); trunc(@none);
		printf("%d %s\n", 5, "x\"y");
		printa("%s %@d\n", @c);
		trace(-1);
	}
	BEGIN { self->n = 1; }
	tick-10ms { printf("%d", 9); }
	tick-10ms { exit(0); }
	END { printf("no value\n"); printa(@c); }'
}
mkdir out
echo old >out/c.csv
echo other >out/other.csv
for i in 1 2; do
	run --output=csv:out/ >said.txt 2>err.txt || fail "status $?: $(<err.txt)"
	[[ ! -s said.txt && ! -s err.txt ]] || fail "said: $(cat said.txt err.txt)"
	[[ $(cd out && LC_ALL=C && echo *) == "_.csv c.csv other.csv q.csv records-1.csv records-3.csv" ]] ||
		fail "files: $(ls out)"
done
[[ $(<out/other.csv) == other ]] || fail "other.csv was changed"
[[ $(<out/c.csv) == $'name,key1,value\nc,"a,b",1\nc,"a,b",1\nc,"a,b",1' || $(<out/c.csv) == $'name,key1,value\nc,"a,b",1\nc,"a,b",1' ]] ||
	fail "c.csv: $(<out/c.csv)"
[[ $(<out/_.csv) == $'name,value\n_,7' ]] || fail "_.csv: $(<out/_.csv)"
[[ $(<out/q.csv) == *$'name,low,high,count\n'*',2,3,1'* ]] || fail "q.csv: $(<out/q.csv)"
[[ $(sed -E 's/^[0-9]{18,},[0-9]+,/T,C,/' out/records-1.csv) == $'time,cpu,probe,value1,value2,value3\nT,C,dtrace:::BEGIN,5,"x""y",-1' ]] ||
	fail "records-1.csv: $(<out/records-1.csv)"
[[ $(sed -E '1d; s/^[0-9]{18,},[0-9]+,/T,C,/' out/records-3.csv | sort -u) == 'T,C,profile:::tick-10ms,9' ]] ||
	fail "records-3.csv: $(<out/records-3.csv)"

# a folder that does not exist is made, with its values together with another output
run --output=csv:made/ --output=json:all.json || fail "status $?"
[[ -s made/q.csv && -s all.json ]] || fail "no files beside JSON: $(ls made)"

expect_error() { # FOLDER TEXT
	! run --output="csv:$1" >said.txt 2>err.txt || fail "no error for $1"
	grep -qF "$2" err.txt || fail "$1: $(<err.txt)"
}
expect_error none/deep/ "failed to make output folder 'none/deep/': No such file or directory"
echo >file
expect_error file/ "failed to make output folder 'file/': Not a directory"
mkdir -p out2/q.csv
expect_error out2/ "csv: cannot open out2/q.csv: Is a directory"
mkdir out3
ln -s /dev/full out3/records-1.csv
expect_error out3/ "csv: cannot write out3/records-1.csv: No space left on device"
# other formats have no folders
! run --output=json:out/ >said.txt 2>err.txt || fail "JSON in a folder"
exit 0
