/* D_PRINTA_AGGARG: one of several. */
BEGIN
{
	@a = count(); printa(@a, 1);
}
