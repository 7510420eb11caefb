/*
 * D_TRUNC_AGGARG.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRUNC_AGGARG; cli 3.3 continuation-lines */
BEGIN
{
	trunc(1);
}
