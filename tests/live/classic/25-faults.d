#!/usr/sbin/dtrace -s
/*
 * An ERROR clause that says what went wrong and counts it; tracing goes on.
 * @trigger values ints 0 1 2 3
 * @ref d-language 22.2 arg2-clause arg4-code arg5-value
 */

#pragma D option quiet

string why[int];

dtrace:::BEGIN
{
	why[DTRACEFLT_BADADDR] = "bad address";
	why[DTRACEFLT_DIVZERO] = "divide by zero";
	why[DTRACEFLT_ILLOP] = "illegal operation";
	why[DTRACEFLT_BADALIGN] = "bad alignment";
	trouble = 0;
}

syscall::getppid:entry
/pid == $target/
{
	printf("%d: ", (int)arg1);
	n = 0;
}

syscall::getppid:entry
/pid == $target && arg0 == 1/
{
	this->p = (int *)NULL;
	trace(*this->p);
	n = 1;
}

syscall::getppid:entry
/pid == $target && arg0 == 2/
{
	n = 100 / (arg0 - 2);
}

syscall::getppid:entry
/pid == $target && arg0 == 3/
{
	printf("%s\n", stringof((char *)8));
}

syscall::getppid:entry
/pid == $target && arg0 == 0/
{
	printf("fine, n is %d\n", n);
}

dtrace:::ERROR
{
	trouble++;
	printf("%s (clause %d, at 0x%x)\n", why[arg4] != NULL ? why[arg4] : "?", arg2 > 0, arg5);
	@faults[arg4 == DTRACEFLT_DIVZERO ? "arithmetic" : "memory"] = count();
}

dtrace:::END
{
	printf("%d of 4 calls failed\n", trouble);
	printa("%16s %@d\n", @faults);
}
