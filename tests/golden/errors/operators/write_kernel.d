/*
 * Kernel memory is assigned to.
 * @args -x errtags
 */
BEGIN
{
	curthread->pid = 1;
}
