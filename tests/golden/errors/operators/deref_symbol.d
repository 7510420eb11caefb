/*
 * * on a function of the kernel.
 * @args -x errtags
 * @ref d-errors 2.4 D_DEREF_NONPTR; d-language 14 function */
BEGIN
{
	trace(*`schedule);
}
