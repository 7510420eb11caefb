#!/usr/sbin/dtrace -s
/*
 * System calls by process and name: two aggregations in one table, normalized, cut off with trunc().
 * @trigger calls openat /nonexistent 7
 * @ref d-builtins 7.5 trunc-largest
 */

#pragma D option quiet
#pragma D option aggsortkey

dtrace:::BEGIN
{
	printf("%16s %-12s %8s %8s\n", "EXEC", "SYSCALL", "COUNT", "PERCENT");
}

syscall::openat:entry,
syscall::close:entry,
syscall::exit_group:entry
/pid == $target && execname == "calls"/
{
	@num[execname, probefunc] = count();
	@pct[execname, probefunc] = sum(100);
	total++;
}

dtrace:::END
{
	normalize(@pct, total);
	printa("%16s %-12s %@8u %@7u%%\n", @num, @pct);
	trunc(@num, 1);
	printa("top: %s %s %@u\n", @num);
	printf("%d in all\n", total);
}
