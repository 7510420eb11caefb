/*
 * A string is compared with an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.1 compare-strings */
BEGIN
{
	trace("a" == 1);
}
