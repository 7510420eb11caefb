/*
 * Whole user stacks of a program without frame pointers: plain calls, frames of unknown size and
 * alignment, signal handlers on either stack, another thread, code that was made with mmap(2),
 * a stack that ends where memory ends. After __start_context comes what is there in the memory: code in some versions of libc.
 * @trigger bare calls aligned signal altstack restorer trap thread jit edge
 * @args -q
 * @filter '/^ +libc\.so\.6`(__libc_start|start_thread|clone|__clone3|raise|__pthread_kill|pthread_kill|gsignal|getppid)/d; s/\+0x[0-9a-f]+//; s/^( +)libc\.so\.6`__restore_rt$/\1(signal)/; s/^( +)0x[0-9a-f]+$/\1(code)/; s/ +$//; /`__start_context$/{n; /^ +0x[0-9a-f]+ *$/d}'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d", ++n);
	ustack();
}
