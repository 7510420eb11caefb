/*
 * Branches of ?: of different types.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.2 incompatible */
BEGIN
{
	trace(pid ? 1 : "a");
}
