/*
 * copyinto(): user memory into scratch memory that is there.
 * @trigger self memory
 * @stderr
 * @filter 's/probe ID [0-9]+/probe ID N/'
 * @ref d-builtins 3.1 copyinto
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->p = (int *)alloca(12);
	copyinto(arg1, 12, this->p);
	printf("%d %d %d\n", this->p[0], this->p[1], this->p[2]);
	copyinto(arg1 + 8, 4, this->p);
	printf("%d %d %d\n", this->p[0], this->p[1], this->p[2]);
	this->s = (char *)alloca(16);
	copyinto(arg0, 10, this->s);
	printf("[%s]\n", stringof(this->s));
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	copyinto(16, 4, alloca(8));
	printf("not reached\n");
}
