/*
 * Frames of each image of a target that calls exec, the last of which ends at once.
 * @trigger sym_exec 4
 * @args -q
 * @filter 's/\+0x[0-9a-f]+//'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	ustack(3);
}
