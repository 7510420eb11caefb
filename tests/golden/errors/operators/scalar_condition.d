/*
 * A string as the condition of ?:.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_SCALAR; d-language 9.2 incompatible */
BEGIN
{
	trace("a" ? 1 : 2);
}
