/*
 * The sum of two strings.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.1 add-integers */
BEGIN
{
	trace("a" + "b");
}
