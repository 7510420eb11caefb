/*
 * A negative constant subscript.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread->comm[-1]);
}
