/*
 * A mix of both may not be assigned.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	i = 1;
	x = i ? (int *)alloca(8) : &curthread->pid;
}
