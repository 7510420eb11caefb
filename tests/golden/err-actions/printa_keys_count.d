/*
 * D_PRINTA_AGGKEY.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGKEY */
BEGIN
{
	@a[1] = count(); @b[1, 2] = count(); printa(@a, @b);
}
