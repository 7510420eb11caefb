/*
 * An earlier clause gave the variable another pointer.
 * @args -x errtags
 * @ref d-language 11.3 taint
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT
 */
BEGIN
{
	x = (int *)0x10;
}
BEGIN
{
	x = (int *)alloca(8);
}
