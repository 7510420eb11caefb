/*
 * A function symbol is no pointer.
 * @args -x errtags
 * @ref d-language 14 function
 * @ref d-errors 2.4 D_DEREF_NONPTR
 */
BEGIN
{
	trace(*`schedule);
}
