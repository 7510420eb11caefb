/*
 * An integer is assigned to a string.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.2 type-fixed; d-language 9.3 strings */
BEGIN
{
	x = "a";
	x = 1;
}
