/*
 * A scratch pointer and another have no difference.
 * @args -x errtags
 * @ref d-language 11.3 arithmetic
 * @ref d-language 9.1 add-pointers
 * @ref d-errors 2.4 D_OP_INCOMPAT
 */
BEGIN
{
	this->p = (int *)alloca(8);
	trace(this->p - &curthread->pid);
}
