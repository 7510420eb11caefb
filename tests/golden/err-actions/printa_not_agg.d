/*
 * D_PRINTA_AGGARG.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGARG */
BEGIN
{
	printa(1);
}
