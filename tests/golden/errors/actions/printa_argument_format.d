/*
 * A variable for an aggregation, after a format.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGARG; d-builtins 7.4 not-an-aggregation */
BEGIN
{
	x = 1;
	printa("%d", x);
}
