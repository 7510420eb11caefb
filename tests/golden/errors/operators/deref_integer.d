/*
 * * on an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_DEREF_NONPTR; d-language 9.1 dereference */
BEGIN
{
	x = 1;
	trace(*x);
}
