/*
 * A CPU's own value of an aggregation is updated by load, add and store, atomically only if a clock probe and another
 * probe both update it.
 * @only programs nonnull
 */
syscall::read:entry
{
	@one = count();
	@both = count();
}

profile:::tick-1s
{
	@both = count();
}
