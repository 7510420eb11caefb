/*
 * The address of a constant.
 * @args -x errtags
 */
BEGIN
{
	trace(&3);
}
