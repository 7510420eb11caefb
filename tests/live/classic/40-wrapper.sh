#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# D programs from here-documents and variables: -s /dev/stdin, several -n with options between them,
# -o, exit status, what a shell passes on as $1 and $$2.
# @ref cli 2.2 appends not-stderr; cli 2.4 fire-in-order zdefs-runs
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir bin && ln -s "$DTRACE" bin/dtrace && PATH=$PWD/bin:$PATH
ln -s "$BUILD/tests/live/triggers/values" "$BUILD/tests/live/triggers/calls" .

usage() {
	echo "USAGE: count FUNCTION N" >&2
	exit 1
}
count() {
	[ $# -eq 2 ] || usage
	dtrace -qs /dev/stdin "$1" "$2" -c "./calls getppid $2" <<-'EOF'
	#pragma D option defaultargs
	syscall::$1:entry
	/pid == $target/
	{
		@calls = count();
	}
	END
	/$2 > 0/
	{
		printf("%s ", $$1);
		printa("%@d", @calls);
		printf(" of %s\n", $$2);
	}
	EOF
}
count getppid 12
count getppid 3

# several programs, of which each sees its own part; the last argument must be used
dtrace -q -n 'BEGIN { printf("one %s\n", $$1); }' -n 'BEGIN { printf("two %d\n", $2); exit($2 - 40); }
	END { printf("%s\n", $$2); }' -x argref word 42
echo "status $?"

# -o appends, what the program says of itself goes to stderr
dtrace -qn 'BEGIN { printf("first\n"); exit(0); }' -o log.txt
dtrace -n 'BEGIN { trace("second"); exit(0); }' -o log.txt 2>err.txt
awk 'NF { $1 = $1; print }' log.txt | sed -E 's/^[0-9]+ [0-9]+/CPU ID/'
cat err.txt

# a value for the shell
total=$(dtrace -qn 'BEGIN { s = 0; } syscall::getppid:entry /pid == $target/ { s += arg0; } END { printf("%d", s); }' \
	-c './values ints 3 4 5' | tr -d '\n')
echo "total $total, twice $((total * 2))"

# what cannot be is said, with the status that says so
dtrace -qn 'BEGIN { exit(NOSUCH); }' 2>&1
echo "status $?"
dtrace -qn 'nosuch:::probe { }' 2>&1
echo "status $?"
dtrace -Zqn 'nosuch:::probe { trace(arg0); } BEGIN { exit(5); }' 2>&1
echo "status $?"
