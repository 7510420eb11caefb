/*
 * A task without user stack, and a key that is empty.
 * @args -q
 */
BEGIN
{
	@k[stack()] = count();
	exit(0);
}
