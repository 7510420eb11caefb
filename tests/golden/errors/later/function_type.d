/*
 * Function types.
 * @args -x errtags
 */
BEGIN
{
	trace(*(void (*)(int))0);
}
