/*
 * D_PRINTA_AGGARG: one of several.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); printa(@a, 1);
}
