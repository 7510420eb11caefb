/*
 * With -Z the actions of a clause that matches nothing are not checked, but what it assigns is
 * defined: 0, empty, or what another clause makes of it.
 * @args -Zq
 * @ref d-language 4 zdefs
 */
fbt::no_such_function:entry
/args[0]->b_flags & B_NOTHING && (no_such_t *)arg1 != NULL/
{
	self->number = args[0];
	self->text = copyinstr(args[1]->path);
	self->later = args[0]->name;
	this->local = ((struct no_such *)arg0)->member;
	array[args[0], args[1]->x] = args[2];
	self->named[args[0]->name] = timestamp;
	total += args[0]->b_bcount;
	events++;
	@keyed[args[0]->name, execname] = quantize(args[0]->b_bcount);
	@steps = lquantize(args[0], 0, 100, 10);
	@odd = lquantize(args[0], args[1]);
	@twice[args[0]->name] = count();
	no_such_function(args[0], sizeof (struct no_such), xlate <no_such_t>(args[0]).x);
	printf("%Z %d\n", args[0]);
	raise(args[5]->signal);
	commit(1, 2, 3);
}

no_such_provider:::fire
{
	trace(args[0]->x);
	known = 5;
}

BEGIN
{
	printf("%d %d %d %d %d\n", self->number, this->local, total, events, known);
	printf("%d %d\n", self->text == NULL, sizeof (self->number));
	printa(@keyed);
	printa("%s %s %@d\n", @keyed);
	printa(@steps);
	printa(@odd);
	clear(@steps);
	trunc(@keyed, 3);
	normalize(@keyed, 10);
}

/* the first use shapes what is only assigned above */
BEGIN
{
	self->later = "text";
	array["one", 2] = "two";
	self->named["now"] = 7;
	@twice["a", 1] = sum(3);
	@other["a", 1] = sum(4);
	printf("%s %s %d\n", self->later, array["one", 2], self->named["now"]);
	printa("%s %d %@d %@d\n", @twice, @other);
}

/* one that nothing updates has the keys of those that it is printed with */
syscall::no_such_call:entry
{
	@missing[args[0]->name] = count();
}

END
{
	printa("%s %d %@d %@d\n", @missing, @other);
}

BEGIN
{
	exit(0);
}
