/* D_TRUNC_AGGARG. */
BEGIN
{
	trunc(1);
}
