/*
 * A string is assigned to an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.2 type-fixed; d-language 9.3 integers */
BEGIN
{
	x = 1;
	x = "a";
}
