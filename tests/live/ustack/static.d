/*
 * Whole user stacks in a static executable at fixed addresses, whose main program is all there is.
 * @trigger bare_static calls aligned signal altstack restorer trap thread jit
 * @args -q
 * @filter '/^ +bare_static`(__libc_start|start_thread|__clone|clone|raise|__pthread_kill|pthread_kill|gsignal|getppid)/d; s/\+0x[0-9a-f]+//; s/^( +)bare_static`__restore_rt$/\1(signal)/; s/^( +)0x[0-9a-f]+$/\1(code)/; s/ +$//'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d", ++n);
	ustack();
}
