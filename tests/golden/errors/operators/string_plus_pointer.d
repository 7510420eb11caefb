/*
 * A string and a pointer cannot be added.
 * @args -x errtags
 * @ref d-language 10.3 rest
 * @ref d-errors 2.4 D_OP_INCOMPAT
 */
BEGIN
{
	s = "abc";
	trace(s + (char *)curthread);
}
