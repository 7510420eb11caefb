/*
 * D_PRINTA_AGGARG: with a format.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGARG */
BEGIN
{
	x = 1; printa("%d", x);
}
