/*
 * D_TRUNC_AGGARG.
 * @args -x errtags
 */
BEGIN
{
	trunc(1);
}
