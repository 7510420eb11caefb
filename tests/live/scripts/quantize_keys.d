/*
 * Sizes asked for and sizes got, by process and call, as rwbytype and its kind do.
 * @trigger calls read 100 1 100 4096 65536
 * @ref output 9.1 buckets; output 8.2 distribution
 */
#pragma D option quiet

syscall::read:entry,
syscall::pread64:entry
/pid == $target && arg0 == 3/
{
	@asked[execname, probefunc] = quantize(arg2);
	self->reading = 1;
}

syscall::read:return,
syscall::pread64:return
/self->reading/
{
	@got[execname, probefunc] = quantize((int)arg1);
	self->reading = 0;
}

dtrace:::END
{
	printa("%s %s asked for\n%@d\n", @asked);
	printa("%s %s got\n%@d\n", @got);
}
