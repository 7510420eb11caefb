#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# #! scripts with arguments: $1 and $$1, missing ones with defaultargs, macros, flags among the arguments, status.
# @ref cli 1.2 operands script-name defaultargs missing last-must-be-used
# @ref d-language 2 operand-token operand-string defaultargs script-name target
# @ref cli 1.3 clustered flags-among-arguments literal-dash pragmas first-line
# @ref cli 5.3 of-exit
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

try() { # WANT-STATUS WANT-OUT COMMAND...
	local out status=0 want=$1 text=$2
	shift 2
	out=$("$@" 2>err.txt </dev/null; echo "x$?") || true
	status=${out##*x} out=${out%x*}
	[[ $status == "$want" && $out == "$text" ]] || complain "$*: status $status, [$out], stderr: $(<err.txt); expected $want, [$text]"
}

cat >args.d <<END
#!$DTRACE -qs
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("%d [%s] %d [%s]\n", \$1, \$\$1, \$3, \$\$2);
	exit(\$1);
}
END
chmod +x args.d
try 5 $'5 [5] 7 [two words]\n\n' ./args.d 5 'two words' 7
try 0 $'0 [] 0 []\n\n' ./args.d
try 3 $'3 [3] 0 [-x]\n\n' ./args.d -- 3 -x
try 3 $'3 [3] 0 [4]\n\n' ./args.d 3 -q 4
try 4 $'4 [4] 0 [0x10]\n\n' ./args.d 4 0x10

cat >need.d <<END
#!$DTRACE -qs
dtrace:::BEGIN { printf("%s\n", \$\$1); exit(0); }
END
chmod +x need.d
try 0 $'name\n\n' ./need.d name
try 1 "" ./need.d
grep -q 'macro argument \$1 is not defined$' err.txt || complain "a missing argument: $(<err.txt)"
try 1 "" ./need.d a b
grep -q "extraneous argument 'b' (\$2 is not referenced)$" err.txt || complain "one too many: $(<err.txt)"

cat >macros.d <<END
#!$DTRACE -s
#pragma D option quiet
#pragma D option defaultargs

syscall::getppid:entry
/pid == \$target && execname == \$\$1 && n++ < \$2/
{
	printf("%s of %s\n", probefunc, execname);
}

dtrace:::BEGIN
{
	printf("%s %d %d %d\n", basename(\$\$0), \$uid, \$egid, \$pid == pid);
}
END
chmod +x macros.d
try 0 $'macros.d 0 0 1\ngetppid of calls\ngetppid of calls\n\n' ./macros.d -c "$BUILD/tests/live/triggers/calls getppid 5" calls 2

# a file that is written to by -o, an option given twice, the last of which wins
try 0 "" ./need.d -o written -x quiet=no -q name
[[ $(<written) == name ]] || complain "-o: $(cat written)"
exit $bad
