/*
 * tracesys(): system calls with their arguments and results, as strace(1) shows them.
 * @trigger syscalls
 * @filter 's/sa_restorer=0x[0-9a-f]+/sa_restorer=ADDR/; s/(getppid\(\) +=) [0-9]+/\1 PID/; s/0x[0-9a-f]{9,12}/ADDR/g'
 */
#pragma D option quiet

self int on;

syscall::getppid:return
/pid == $target/
{
	self->on = !self->on;
}

syscall:::return
/self->on/
{
	tracesys();
	printf("\n");
}

syscall::exit_group:entry
/pid == $target/
{
	tracesys();
	printf("\n");
}
