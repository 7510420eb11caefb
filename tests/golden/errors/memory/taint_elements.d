/*
 * All elements of an array are alike.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	x[1] = (int *)alloca(8);
	x[2] = &curthread->pid;
}
