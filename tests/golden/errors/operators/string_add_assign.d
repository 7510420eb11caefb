/*
 * A string has no += : it is assigned as a whole.
 * @args -x errtags
 * @ref d-language 9.1 add-assign
 * @ref d-errors 2.4 D_OP_INCOMPAT
 */
BEGIN
{
	s = "abc";
	s += 1;
}
