/*
 * Only + makes a string of a string and an integer.
 * @args -x errtags
 * @ref d-language 10.3 rest
 * @ref d-errors 2.4 D_OP_ARITH
 */
BEGIN
{
	s = "abc";
	trace(s * 2);
}
