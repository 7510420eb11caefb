/*
 * The declared type does not matter.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
void *p;
BEGIN
{
	p = curthread;
}
BEGIN
{
	p = alloca(8);
}
