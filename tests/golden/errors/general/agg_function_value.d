/*
 * An aggregating function as a value.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 15 function-elsewhere */
BEGIN
{
	x = count();
}
