/*
 * D_NORMALIZE_AGGARG.
 * @args -x errtags
 */
BEGIN
{
	normalize(1, 2);
}
