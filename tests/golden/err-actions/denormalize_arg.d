/*
 * D_NORMALIZE_AGGARG.
 * @args -x errtags
 */
BEGIN
{
	denormalize(1);
}
