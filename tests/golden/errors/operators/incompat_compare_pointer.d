/*
 * A pointer is compared with an integer that isn't 0.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 9.1 compare-pointers */
BEGIN
{
	trace(curthread == 1);
}
