/*
 * uregs[] by number: the user's registers at the system call.
 * @trigger values six
 * @ref d-builtins 1 uregs
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	/* RDI, RSI, RDX, R10, R8, R9 hold the arguments; ORIG_RAX the call; CS and SS are the user's */
	printf("%d %d %d %d %d %d\n", uregs[14] == arg0, uregs[13] == arg1, uregs[12] == arg2, uregs[7] == arg3,
		uregs[9] == arg4, uregs[8] == arg5);
	printf("%d %d %d\n", uregs[15], uregs[17] & 3, uregs[20] & 3);
	printf("%d %d %d\n", uregs[16] != 0, uregs[19] != 0, sizeof(uregs[0]));
}
