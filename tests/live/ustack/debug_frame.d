/*
 * A program whose frames only its debug information describes.
 * @trigger debug_frame
 * @args -q
 * @filter '/^ +libc\.so\.6`/d; s/\+0x[0-9a-f]+//; s/ +$//'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	ustack();
}
