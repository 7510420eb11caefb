#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How long each kind of call takes: the time in self->, lquantize() by call, a table of averages and extremes.
# @ref output 8.2 values-in-order avg-stddev
# @ref output 9 total
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >latency.d <<END
#!$DTRACE -qs
syscall::getppid:entry, syscall::openat:entry, syscall::close:entry
/pid == \$target/
{
	self->ts = timestamp;
}

syscall::getppid:return, syscall::openat:return, syscall::close:return
/self->ts/
{
	this->us = (timestamp - self->ts) / 1000;
	@time[probefunc] = lquantize(this->us, 0, 100, 10);
	@calls[probefunc] = count();
	@average[probefunc] = avg(this->us);
	@longest[probefunc] = max(this->us);
	self->ts = 0;
}

dtrace:::END
{
	printf("%-12s %8s %8s %8s\n", "CALL", "COUNT", "AVG(us)", "MAX(us)");
	printa("%-12s %@8d %@8d %@8d\n", @calls, @average, @longest);
	printa(@time);
}
END
chmod +x latency.d
./latency.d -c "$BUILD/tests/live/triggers/calls openat /dev/null 300" >out.txt 2>err.txt || { echo "status $?"; exit 1; }
[[ ! -s err.txt ]] || { cat err.txt; exit 1; }
[[ $(head -n 1 out.txt) == "CALL            COUNT  AVG(us)  MAX(us)" ]] || { head -n 1 out.txt; exit 1; }
for call in openat close; do
	awk -v call=$call '$1 == call && NF == 4 { rows++; n = $2; if ($3 > $4) bad = 1 }
		END { exit bad || rows != 1 || n != 300 }' out.txt || { echo "the row of $call"; cat out.txt; exit 1; }
	awk -v call=$call 'NF == 1 { here = $1 == call } here && /\|/ && !/Distribution/ { n += $NF }
		END { exit n != 300 }' out.txt || { echo "the distribution of $call"; cat out.txt; exit 1; }
done
