/*
 * ustack: user frames by frame pointer with the names of the program's functions, also when the
 * process has ended before they are printed.
 * @trigger frames 1
 * @args -q -x switchrate=300ms
 * @filter '/^ +(libc|frames`_start)/d; s/\+0x[0-9a-f]+/+N/'
 * @ref d-builtins 4 ustack
 * @ref d-builtins 5.3 frames
 */
syscall::getppid:entry
/pid == $target/
{
	printf("call %d, all", ++n);
	ustack();
	printf("two");
	ustack(2);
	printf("three, of strings");
	ustack(3, 500);
}
