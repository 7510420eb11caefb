/*
 * Sizes of read(2) as a distribution.
 * @trigger calls read 10 1 2 3 4 8
 */
#pragma D option quiet

syscall::read:entry
/pid == $target && arg2 <= 8/
{
	@["bytes"] = quantize(arg2);
}
