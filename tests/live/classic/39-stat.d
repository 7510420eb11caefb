#!/usr/sbin/dtrace -s
/*
 * An interval statistic as vmstat prints it: a line every interval out of aggregations that are
 * cleared after each, a rate by normalize(), the total at the end.  Nothing is counted while a
 * line is printed, so its three numbers are the same.
 * @trigger paced 4000 4
 * @args 4
 * @filter 's/^ *([0-9]+) +\1 +\1 +/N N N /; s/^total [0-9]+$/total N/'
 * @ref d-builtins 7.5 clear trunc-all normalize
 */

#pragma D option quiet
#pragma D option switchrate=20ms
#pragma D option aggrate=20ms

dtrace:::BEGIN
{
	intervals = $1;
	done = 0;
	counting = 1;
	cleared = 0;
	n = 0;
	printf("%8s %8s %8s %s\n", "calls", "half", "n", "kinds");
}

syscall::getppid:entry
/pid == $target && counting/
{
	n++;
	@calls = count();
	@half = sum(2);
	@kinds[arg0 % 3] = count();
	@total = count();
}

profile:::tick-100ms
/cleared/
{
	counting = 1;
	cleared = 0;
}

profile:::tick-100ms
/n && !counting/
{
	cleared = 1;
	n = 0;
	clear(@calls);
	clear(@half);
	denormalize(@half);
	trunc(@kinds);
	done++;
}

profile:::tick-100ms
/done == intervals/
{
	exit(0);
}

profile:::tick-100ms
/n && counting/
{
	counting = 0;
	normalize(@half, 2);
	printa("%@8d %@8d ", @calls, @half);
	trunc(@kinds, 1);
	printf("%8d ", n);
	printf("kinds\n");
}

dtrace:::END
{
	printa("total %@d\n", @total);
	trunc(@calls);
	trunc(@half);
	trunc(@kinds);
}
