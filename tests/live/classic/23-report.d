#!/usr/sbin/dtrace -s
/*
 * A report: several aggregations in a table, right and left, in hex, normalized, truncated, sorted
 * by the second column and from the top.
 * @trigger values ints 10 20 30 10 20 10 400 -5
 * @ref output 8.2 values-in-order
 */

#pragma D option quiet
#pragma D option aggsortpos=1
#pragma D option aggsortrev

syscall::getppid:entry
/pid == $target/
{
	self->size = (int)arg0;
}

syscall::getppid:entry
/pid == $target && self->size != NULL/
{
	@count[self->size] = count();
	@bytes[self->size] = sum(self->size * 1024);
	@share[self->size] = avg(self->size * 3);
	@order[self->size] = max(arg1);
	@all = count();
	@named["size", self->size > 15 ? "large" : "small"] = count();
}

dtrace:::END
{
	normalize(@bytes, 1024);
	printf("%8s %6s %10s %-8s %s\n", "SIZE", "COUNT", "KBYTES", "AVG", "LAST");
	printf("%8s %6s %10s %-8s %s\n", "----", "-----", "------", "---", "----");
	printa("%8d %@6u %@10d %-@8d %@#x\n", @count, @bytes, @share, @order);
	printf("\n");

	denormalize(@bytes);
	trunc(@bytes, 2);
	printa("%d: %@d bytes\n", @bytes);
	trunc(@count, -1);
	printa("rarest %d (%@d)\n", @count);
	printa("%-6s|%8s|%@05d|\n", @named);
	printa("calls: %@d\n", @all);
	clear(@all);
	printa("cleared: %@d\n", @all);
	setopt("aggsortrev", "no");
	printa(@order);
}
