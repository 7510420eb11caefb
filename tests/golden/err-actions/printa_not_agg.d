/* D_PRINTA_AGGARG. */
BEGIN
{
	printa(1);
}
