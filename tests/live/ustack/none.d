/*
 * A task without user stack, and a key that is empty.
 * @ref output 6 empty-kernel
 * @args -q
 */
BEGIN
{
	@k[stack()] = count();
	exit(0);
}
