/*
 * A bucket of a distribution is one counter: its number is the array's index, or part of the hash's key.
 * @only maps
 */
syscall::read:entry
{
	@ = quantize(arg2);
	@keyed[pid] = quantize(arg2);
	@wide[pid] = lquantize(arg2, 0, 65535);
}
