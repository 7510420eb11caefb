/*
 * The last operand is not used.
 * @args -x errtags one two
 */
BEGIN
{
	trace($$1);
}
