/*
 * D_NORMALIZE_AGGARG.
 * @args -x errtags
 * @ref d-errors 2.10 D_NORMALIZE_AGGARG */
BEGIN
{
	denormalize(1);
}
