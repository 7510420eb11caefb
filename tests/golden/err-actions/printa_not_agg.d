/*
 * D_PRINTA_AGGARG.
 * @args -x errtags
 */
BEGIN
{
	printa(1);
}
