/*
 * * on a pointer to a function.
 * @args -x errtags
 */
BEGIN
{
	trace(*(void (*)(int))0);
}
