/*
 * A string has no ++.
 * @args -x errtags
 * @ref d-language 9.1 increment
 * @ref d-errors 2.4 D_OP_SCALAR
 */
BEGIN
{
	s = "abc";
	s++;
}
