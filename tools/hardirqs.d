#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "hardirqs: interrupts of devices and how long their handlers take"
#pragma tool param D flag "the distribution of times for each handler"
inline int D = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

/* by CPU: a handler stays on its CPU, and no other one interrupts it */
uint64_t began[int];
string name[int];

BEGIN { printf("Handlers of interrupts. Ends with ^C.\n\n"); }

sdt:irq::irq_handler_entry
{
	name[cpu] = stringof(args[1]);
	began[cpu] = timestamp;
}

sdt:irq::irq_handler_exit
/began[cpu]/
{
	@count[args[0], name[cpu]] = count();
	@total[args[0], name[cpu]] = sum(timestamp - began[cpu]);
	@longest[args[0], name[cpu]] = max(timestamp - began[cpu]);
	@mean[args[0], name[cpu]] = avg(timestamp - began[cpu]);
}

sdt:irq::irq_handler_exit
/D && began[cpu]/
{
	@times[name[cpu]] = quantize(timestamp - began[cpu]);
}

sdt:irq::irq_handler_exit { began[cpu] = 0; }

tick-1s
/i && ++seconds % (i ? i : 1) == 0/
{
	printf("%Y\n%4s %-24s %10s %14s %12s %12s\n", walltimestamp, "IRQ", "NAME", "COUNT", "TOTAL ns", "MEAN ns",
	    "MAX ns");
	printa("%4d %-24s %@10d %@14d %@12d %@12d\n", @count, @total, @mean, @longest);
	printa(@times);
	printf("\n");
	trunc(@times);
	trunc(@count);
	trunc(@total);
	trunc(@mean);
	trunc(@longest);
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
{
	printf("%4s %-24s %10s %14s %12s %12s\n", "IRQ", "NAME", "COUNT", "TOTAL ns", "MEAN ns", "MAX ns");
	printa("%4d %-24s %@10d %@14d %@12d %@12d\n", @count, @total, @mean, @longest);
	printa(@times);
}
