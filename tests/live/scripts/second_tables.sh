#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A table every second that begins anew: no call is in none of them, none in two.
# @ref output 8.2 keys-in-order values-in-order no-entries
# @ref output 8.3 trunc-all
# @ref cli 1.3 clustered pragmas
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >callers.d <<END
#!$DTRACE -s
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN { printf("%-20s %8s\n", "PROCESS", "CALLS"); }
syscall::getppid:entry /progenyof(\$target) && execname == "paced"/ { @calls[execname] = count(); }
profile:::tick-200ms
{
	printf("-- %d\n", ++n);
	printa("%-20s %@8d\n", @calls);
	trunc(@calls);
}
dtrace:::END { printf("-- end\n"); printa("%-20s %@8d\n", @calls); trunc(@calls); }
END
chmod +x callers.d
printf '#!/bin/sh\n%s 60 50\n%s 60 50\n' "$BUILD/tests/live/triggers/paced"{,} >twice
chmod +x twice
./callers.d -c ./twice >out.txt 2>err.txt || { echo "status $?: $(<err.txt)"; exit 1; }
[[ $(head -n 1 out.txt) == "PROCESS                 CALLS" ]] || { echo "header: $(head -n 1 out.txt)"; exit 1; }
! grep -vE '^(PROCESS +CALLS|-- [0-9]+|-- end|paced                [ 0-9]{8}|)$' out.txt || exit 1
awk '/^paced/ { n += $2; rows++ } /^--/ { if (rows > 1) exit 1; tables++; rows = 0 }
	END { if (n != 6000 || tables < 3) { print "calls " n ", tables " tables; exit 1 } }' out.txt
