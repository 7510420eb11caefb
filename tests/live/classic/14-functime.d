#!/usr/sbin/dtrace -s
/*
 * Calls, results and nesting of a program's functions: self->ts[] by function, recursion told apart.
 * @trigger store 12
 * @ref providers 15 entry-args return-value
 */

#pragma D option quiet
#pragma D option aggsortkey

pid$target:a.out::entry
/probefunc == "price" || probefunc == "basket" || probefunc == "rebate" || probefunc == "take"/
{
	self->depth[probefunc]++;
	self->ts[probefunc, self->depth[probefunc]] = timestamp;
}

pid$target:a.out::return
/self->depth[probefunc] != NULL && self->ts[probefunc, self->depth[probefunc]]/
{
	this->elapsed = timestamp - self->ts[probefunc, self->depth[probefunc]];
	@calls[probefunc] = count();
	@deep[probefunc] = max(self->depth[probefunc]);
	@result[probefunc] = max((int)arg1);
	@sane[probefunc] = min(this->elapsed > 0 && this->elapsed < 10 * 1000000000);
	self->ts[probefunc, self->depth[probefunc]] = 0;
	self->depth[probefunc]--;
}

dtrace:::END
{
	printf("%-10s %6s %6s %6s %5s\n", "FUNCTION", "CALLS", "DEPTH", "MAX", "SANE");
	printa("%-10s %@6u %@6u %@6d %@5d\n", @calls, @deep, @result, @sane);
}
