/*
 * ustack() of a stack deeper than it takes: 100 frames, or as many as it is asked for.
 * @trigger recursion 120
 * @args -q -x stackindent=0
 * @filter 's/\+0x[0-9a-f]+//'
 * @ref output 6 default-depths depth
 */
syscall::getppid:entry
/pid == $target/
{
	ustack();
	printf("then");
	ustack(3);
}
