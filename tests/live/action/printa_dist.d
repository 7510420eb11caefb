/*
 * printa of distributions, with and without a format.
 * @ref d-builtins 7.4 distribution-conversion
 */
#pragma D option quiet

BEGIN
{
	@q["few"] = quantize(3);
	@q["many"] = quantize(100);
	@q["many"] = quantize(100);
	@l = lquantize(5, 0, 10, 2);
	printa(@q);
	printa("%s:%@d--\n", @q);
	printa("%@d", @l);
	normalize(@q, 2);
	printa("%s by 2:%@d", @q);
	exit(0);
}
