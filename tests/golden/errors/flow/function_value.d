/*
 * A function's name is no variable.
 * @args -x errtags -x nolibs
 * @ref d-errors 2.9 D_IDENT_BADREF
 */
int f(int a)
{
	return a;
}
dtrace:::BEGIN
{
	trace(f);
}
