/*
 * A scratch pointer less a kernel pointer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 11.3 arithmetic; d-language 9.1 add-pointers */
BEGIN
{
	trace((char *)alloca(8) - (char *)curthread);
}
