/*
 * printf takes its values from the probe: widths, signs and strings of a record's members.
 * @trigger values ints -1 255 4294967296 -9223372036854775808
 * @ref d-builtins 8.1 d-i u o-x-X
 * @ref d-builtins 8.3 negative-unsigned
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	printf("%d: %d %u %x|%d %u %x|%d %u|%d %u|%s %s %s\n", arg1, arg0, arg0, arg0, (int)arg0,
		(int)arg0, (int)arg0, (short)arg0, (unsigned short)arg0, (char)arg0,
		(unsigned char)arg0, execname, probefunc, probename);
}
