/*
 * Two subscripts of an array that isn't associative.
 * @args -x errtags
 */
BEGIN
{
	trace(curthread->comm[1, 2]);
}
