/*
 * A string is added to an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.1 add-assign */
BEGIN
{
	x = 1;
	x += "a";
}
