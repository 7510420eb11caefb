#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Scripts that run by themselves and take arguments: $1 as a number and as text, $$1 as a string,
# $0, $target, $uid, defaultargs and missing arguments.
# @ref cli 1.2 operands missing defaultargs line-after-last; d-language 2 operand-token operand-string
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

cat >counted <<D
#!$DTRACE -qs
/* usage: counted FUNCTION MOST [TITLE] */
#pragma D option defaultargs

dtrace:::BEGIN
{
	limit = \$2 ? \$2 : 3;
	title = \$\$3 == "" ? "calls" : \$\$3;
	printf("%s of %s, at most %d\n", title, \$\$1, limit);
}

syscall::\$1:entry
/pid == \$target && n < limit/
{
	n++;
	printf("%d: %s\n", n, probefunc == \$\$1 ? "as asked" : "another");
}

dtrace:::END
{
	printf("%d, mine: %s\n", n, \$uid == uid && \$pid == pid ? "yes" : "no");
}
D
chmod +x counted
calls=$BUILD/tests/live/triggers/calls
./counted -c "$calls getppid 5" getppid 2 "my calls"
./counted -c "$calls getppid 5" getppid
echo "--"

cat >sum.d <<'D'
BEGIN
{
	/* numbers of any base, signs, and words */
	printf("%s: %d + %d = %d, %s\n", basename($$0), $1, $2, $1 + $2, $$3);
	exit($1 + $2 == 27 ? 0 : 3);
}
D
"$DTRACE" -qs sum.d 0x10 013 'two words'
echo "status $?"
"$DTRACE" -qs sum.d 30 0x3 end
echo "status $?"
"$DTRACE" -qs sum.d 26 1 end
echo "status $?"
"$DTRACE" -qs sum.d 1 2>&1
"$DTRACE" -qs sum.d 1 2 3 4 2>&1
exit 0
