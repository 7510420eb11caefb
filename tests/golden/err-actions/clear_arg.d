/*
 * D_CLEAR_AGGARG.
 * @args -x errtags
 */
BEGIN
{
	clear(1);
}
