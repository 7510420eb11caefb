/*
 * A fault while a record is filled: in the arguments of printf, trace and printa's clause.
 * @trigger values strings one two
 * @stderr
 * @filter 's/probe ID [0-9]+ \(syscall/probe ID N (syscall/; s/0x[0-9a-f]{5,}/0xADDR/'
 * @ref d-errors 4 shape
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	printf("%s %d %s\n", copyinstr(arg0), 1, arg1 == 0 ? copyinstr(8) : "fine");
}

syscall::getppid:entry
/pid == $target/
{
	trace(copyinstr(arg0));
	trace(*(int *)(arg1 * 0 + 24));
	printf("not reached\n");
}

syscall::getppid:entry
/pid == $target/
{
	printf("%s again\n", copyinstr(arg0));
	@[copyinstr(arg0)] = count();
}

syscall::getppid:entry
/pid == $target/
{
	/* user memory is no kernel memory */
	printf("%s\n", stringof((char *)arg0));
}
