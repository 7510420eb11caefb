/*
 * D_PRINTA_AGGPROTO.
 * @args -x errtags
 */
BEGIN
{
	@a[1] = count(); @b["x"] = count(); printa(@a, @b);
}
