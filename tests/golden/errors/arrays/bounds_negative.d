/*
 * A negative constant subscript.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BOUNDS; d-language 11.2 negative-constant */
BEGIN
{
	trace(curthread->comm[-1]);
}
