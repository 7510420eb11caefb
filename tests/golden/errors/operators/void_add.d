/*
 * Arithmetic on a pointer to void.
 * @args -x errtags
 */
BEGIN
{
	trace((void *)1 + 1);
}
