/*
 * A call that never returns is the last instruction of its function: the frame is that function's,
 * not the next one's.
 * @trigger sym_noreturn
 * @args -q
 * @filter 's/\+0x[0-9a-f]+//'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	ustack(3);
}
