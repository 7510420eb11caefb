/*
 * D_PRINTA_AGGKEY: with and without keys.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count(); @b = count(); printa(@a, @b);
}
