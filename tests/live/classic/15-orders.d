#!/usr/sbin/dtrace -s
/*
 * Static probes of a program: a string by copyinstr(), a struct by copyin() and a cast, time between two probes.
 * @trigger store 4
 * @ref d-builtins 3.1 copyin copyinstr
 */

#pragma D option quiet

struct order {
	int id;
	int articles;
	long total;
	char customer[16];
};

dtrace:::BEGIN
{
	late = 0;
}

store$target:::order-start
{
	self->ts = timestamp;
	self->who = copyinstr(arg1);
	printf("%d: %s starts\n", (int)arg0, self->who);
}

store$target:::order-done
/self->ts != NULL/
{
	this->o = (struct order *)copyin(arg1, sizeof (struct order));
	printf("%d: %s has %d articles for %d\n", this->o->id, stringof(this->o->customer), this->o->articles,
	    this->o->total);
	@spent[self->who] = sum(this->o->total);
	late += (timestamp - self->ts) / 1000000000 > 60;
	self->ts = 0;
	self->who = NULL;
}

dtrace:::END
{
	printa("%-8s %@d\n", @spent);
	printf("late: %d\n", late);
}
