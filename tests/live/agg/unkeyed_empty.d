/*
 * A distribution without keys that is all zero is shown, if it was updated: by weights of 0, by weights that add up to 0,
 * or cleared.  One that was never updated, or was truncated, is not.
 * @ref output 8.2 no-entries; output 8.3 clear-keeps-keys trunc-all
 */
#pragma D option quiet

int zero;

BEGIN
{
	@constant = quantize(3, 0);
	@variable = lquantize(3, 0, 10, 2, zero);
	@sum = llquantize(3, 10, 0, 2, 10, 5);
	@sum = llquantize(3, 10, 0, 2, 10, zero - 5);
	@cleared = quantize(3);
	@truncated = quantize(3, 0);
	@mixed = quantize(3, zero);
	@mixed = quantize(3);
}

BEGIN
/zero/
{
	@never = quantize(1, 0);
	@never_either = quantize(1);
}

BEGIN
{
	clear(@cleared);
	trunc(@truncated);
	printf("constant");
	printa(@constant);
	printf("variable%s", "");
	printa("%@d", @variable);
	printf("sum");
	printa(@sum);
	printf("cleared");
	printa(@cleared);
	printf("truncated");
	printa(@truncated);
	printf("never");
	printa(@never);
	printa("never either: %@d", @never_either);
	clear(@constant);
	printf("mixed");
	printa(@mixed);
	exit(0);
}

END
{
	printf("at the end\n");
	printa("%@d", @constant);
}
