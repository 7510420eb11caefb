/*
 * D_TRUNC_AGGARG.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRUNC_AGGARG */
BEGIN
{
	trunc(1);
}
