/*
 * Scratch memory.
 * @args -x errtags
 */
BEGIN
{
	p = (int *)alloca(8);
}
