/* D_NORMALIZE_AGGARG. */
BEGIN
{
	denormalize(1);
}
