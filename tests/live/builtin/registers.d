/*
 * uregs[]: user registers at the system call, by the names of the library and by number.
 * @trigger calls getppid 1
 * @ref d-builtins 1 uregs uregs-names
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	printf("%d\n", uregs[R_RAX] == uregs[10]);
	printf("%d %d %d\n", uregs[R_PC] == uregs[16], uregs[R_SP] == uregs[19], uregs[R_FP] == uregs[4]);
	/* the number of the system call; the caller's address */
	printf("%d\n", uregs[R_ERR]);
	printf("%d %d\n", uregs[R_RSP] != 0, uregs[R_RIP] != 0);
	printf("%d %d\n", uregs[R_CS] & 3, uregs[R_SS] & 3);
	printf("%d %d %d %d %d %d\n", R_R15, R_R8, R_RDI, R_CS, R_R0, R_PS);
}
