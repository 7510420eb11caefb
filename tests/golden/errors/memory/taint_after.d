/*
 * A variable with a scratch pointer may not hold another.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	x = (char *)alloca(8);
	x = &curthread->comm[0];
}
