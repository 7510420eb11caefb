/*
 * A constant subscript beyond the array.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread->comm[16]);
}
