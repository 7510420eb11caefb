/*
 * D_PRINTA_AGGARG: with a format.
 * @args -x errtags
 */
BEGIN
{
	x = 1; printa("%d", x);
}
