/* D_PRINTA_AGGARG: with a format. */
BEGIN
{
	x = 1; printa("%d", x);
}
