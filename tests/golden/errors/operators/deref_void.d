/*
 * * on a pointer to void.
 * @args -x errtags
 * @ref d-errors 2.4 D_DEREF_VOID; d-language 9.1 dereference */
BEGIN
{
	trace(*(void *)arg0);
}
