/*
 * D_PRINTA_AGGKEY: with and without keys.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGKEY */
BEGIN
{
	@a[1] = count(); @b = count(); printa(@a, @b);
}
