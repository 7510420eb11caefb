/*
 * Arithmetic on a pointer to void.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.1 add-pointers */
BEGIN
{
	trace((void *)1 + 1);
}
