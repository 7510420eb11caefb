/*
 * D_PRINTA_AGGPROTO.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGPROTO */
BEGIN
{
	@a[1] = count(); @b["x"] = count(); printa(@a, @b);
}
