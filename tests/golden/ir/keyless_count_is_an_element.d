/*
 * An aggregation without a key is one element of a per-CPU array: no hash, nothing to be allocated, no drop.
 * @only maps body nonnull drop
 */
syscall::read:entry
{
	@ = count();
}
