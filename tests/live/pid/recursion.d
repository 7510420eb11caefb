/*
 * A function that is N deep in itself returns N times, the innermost first; thread-local variables
 * and associative arrays tell the calls apart.
 * @ref providers 15 return-each-call
 * @trigger work depth 5 depth 1 depth 64
 */
#pragma D option quiet

pid$target::depth:entry
{
	self->depth++;
	arg[self->depth] = arg0;
	@calls["entry"] = count();
	@deepest = max(self->depth);
}
pid$target::depth:return
{
	@calls["return"] = count();
	@sum = sum(arg1);
	/* what was passed to this call is what came back, one for each level */
	@wrong = sum(arg[self->depth] != arg1);
	self->depth--;
}
pid$target::depth:return /self->depth == 0/ { printf("%d\n", arg1); }
END { printa("%s %@d\n", @calls); printa("deepest %@d, sum %@d, wrong %@d\n", @deepest, @sum, @wrong); }
