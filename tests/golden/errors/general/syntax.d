/*
 * An operator without its right operand.
 * @args -x errtags
 */
BEGIN
{
	1 + ;
}
