#!/usr/sbin/dtrace -qs
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the transactions of all PostgreSQL servers and the waits in them, in ns, every 100 ms,
 * for the heat maps in the README:
 *
 *	dtrace --output=heatmap:commits.html -qs commits.d
 */
postgresql*:::transaction-start
{
	self->start = timestamp;
}

sched:::off-cpu
/self->start/
{
	self->off = timestamp;
	self->where = ustack();
}

sched:::on-cpu
/self->off/
{
	@waits[self->where] = quantize(timestamp - self->off);
	self->off = 0;
	self->where = 0;
}

postgresql*:::transaction-commit
/self->start/
{
	@commits = quantize(timestamp - self->start);
	self->start = 0;
}

tick-100ms
{
	printa("", @commits);
	printa("", @waits);
}
