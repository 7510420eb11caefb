/*
 * D_PRINTA_AGGARG: one of several.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGARG; d-builtins 7.4 not-an-aggregation */
BEGIN
{
	@a = count(); printa(@a, 1);
}
