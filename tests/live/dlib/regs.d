/*
 * The library's names of the registers: their numbers, and that they are the user's at a system call.
 * @trigger calls read 1 64
 * @ref d-builtins 1 uregs uregs-names
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d %d %d %d\n", R_R15, R_R14, R_R13, R_R12, R_RBP, R_RBX, R_R11, R_R10);
	printf("%d %d %d %d %d %d %d %d\n", R_R9, R_R8, R_RAX, R_RCX, R_RDX, R_RSI, R_RDI, R_ERR);
	printf("%d %d %d %d %d %d %d %d\n", R_RIP, R_CS, R_RFL, R_RSP, R_SS, R_DS, R_ES, R_FS);
	printf("%d %d\n", R_GS, R_TRAPNO);
	printf("%d %d %d %d %d %d\n", R_PC == R_RIP, R_SP == R_RSP, R_FP == R_RBP, R_PS == R_RFL,
		R_R0 == R_RAX, R_R1 == R_RBX);
	printf("%d %d %d %d %d %d %d %d %d %d\n", R_EAX == R_RAX, R_EBX == R_RBX, R_ECX == R_RCX,
		R_EDX == R_RDX, R_ESI == R_RSI, R_EDI == R_RDI, R_EBP == R_RBP, R_ESP == R_RSP,
		R_EIP == R_RIP, R_EFL == R_RFL);
}

syscall::read:entry
/pid == $target && arg0 == 3/
{
	printf("%d %d %d %d %d %d\n", uregs[R_RDI], uregs[R_RSI] == arg1, uregs[R_RDX],
		uregs[R_R10] == arg3, uregs[R_R8] == arg4, uregs[R_R9] == arg5);
	printf("call %d mode %d %x\n", uregs[R_ERR], uregs[R_CS] & 3, uregs[R_SS]);
	printf("rcx is rip %d, r11 the flags %d\n", uregs[R_RCX] == uregs[R_RIP],
		uregs[R_R11] == uregs[R_RFL]);
	printf("stack %d\n", *(long *)copyin(uregs[R_SP], 8) != 0);
}

syscall::read:return
/pid == $target && arg0 == 64/
{
	printf("returned %d\n", arg1);
}
