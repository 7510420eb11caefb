/*
 * Built-in variables that are yet to come.
 * @args -x errtags
 */
BEGIN
{
	trace(stackdepth);
}
