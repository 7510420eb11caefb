/*
 * Kernel memory behind a pointer is assigned to.
 * @args -x errtags
 */
BEGIN
{
	*(int *)0 = 1;
}
