#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Scripts that count down, normalise by the time that went by and clear: rates.
# @ref output 8.3 normalize-scalar denormalize
# @ref output 8.2 normalized
# @ref cli 1.2 operands
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >rate.d <<END
#!$DTRACE -qs
dtrace:::BEGIN
{
	left = \$1;
	printf("Tracing... %d to go\n", left);
}

syscall::getppid:entry
/progenyof(\$target) && execname == "paced"/
{
	@calls = count();
	@all["calls"] = sum(10);
}

profile:::tick-100ms
/--left > 0/
{
	printf("%2d ", left);
}

profile:::tick-100ms
/left == 0/
{
	exit(3);
}

dtrace:::END
{
	normalize(@all, 10);
	printf("\n");
	printa("calls %@d\n", @calls);
	printa("%s %@d\n", @all);
	denormalize(@all);
	printa("%s %@d\n", @all);
}
END
chmod +x rate.d
status=0
./rate.d -c "$BUILD/tests/live/triggers/paced 1000 10" 5 >out.txt 2>err.txt || status=$?
[[ $status == 3 && ! -s err.txt ]] || { echo "status $status: $(<err.txt)"; exit 1; }
awk 'NR == 1 && $0 != "Tracing... 5 to go" { bad = 1 }
	NR == 2 && $0 != " 4  3  2  1 " { bad = 1 }
	/^calls/ { n[++rows] = $2 }
	END { exit bad || rows != 3 || n[1] < 10 || n[1] != n[2] || n[3] != 10 * n[1] }' out.txt || { cat out.txt; exit 1; }
