/*
 * uregs[]: the registers of the process where it entered the kernel: the arguments of the call, its number, the program
 * counter, the stack and the segments of user mode; in a predicate, in a loop and as a key too.
 * @trigger values six
 * @ref d-builtins 1 uregs
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && uregs[14] == arg0/
{
	printf("rdi %d %d rsi %d %d rdx %d %d\n", uregs[14], uregs[14] == arg0, uregs[13], uregs[13] == arg1, uregs[12],
		uregs[12] == arg2);
	printf("r10 %d %d r8 %d %d r9 %d %d\n", uregs[7], uregs[7] == arg3, uregs[9], uregs[9] == arg4, uregs[8],
		uregs[8] == arg5);
	printf("the call: %s %d\n", probefunc, uregs[15]);
	printf("rip in user memory %d, rsp in user memory %d\n", uregs[16] > 4096 && uregs[16] < 0x800000000000,
		uregs[19] > uregs[16] && uregs[19] < 0x800000000000);
	printf("syscall keeps the flags in r11 and the next address in rcx: %d %d\n", uregs[6] == uregs[18],
		uregs[11] == uregs[16]);
	printf("cs %x ss %x\n", uregs[17], uregs[20]);
	printf("no sign %d, bytes %d\n", (uregs[14] & 0) - 1 > 0, sizeof(uregs[14]));
	for (this->i = 0; this->i < 2; this->i++)
		printf("again %d\n", uregs[13]);
	@[uregs[12], uregs[17]] = count();
}

END
{
	printa("key %d %x: %@d\n", @);
}
