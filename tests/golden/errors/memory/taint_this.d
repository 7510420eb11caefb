/*
 * Clause-local variables too.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	this->x = &curthread->pid;
	this->x = (int *)alloca(8);
}
