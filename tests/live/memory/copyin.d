/*
 * copyin() and copyinstr(): user memory, limits, and addresses that aren't mapped.
 * @trigger self memory
 * @stderr
 * @filter 's/probe ID [0-9]+/probe ID N/'
 * @ref d-builtins 3.1 copyin copyinstr copyinstr-max copyinstr-clamped copyinstr-unreadable
 * @ref d-builtins 3.1 copyin-unreadable
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	printf("[%s] %d\n", copyinstr(arg0), strlen(copyinstr(arg0)));
	printf("[%s] [%s] [%s] [%s]\n", copyinstr(arg0, 1), copyinstr(arg0, 2), copyinstr(arg0, 5),
		copyinstr(arg0, 9));
	printf("[%s] [%s] [%s] [%s]\n", copyinstr(arg0, 10), copyinstr(arg0, 100), copyinstr(arg0, 100000),
		copyinstr(arg0, -1));
	printf("[%s]\n", copyinstr(arg0 + 5));
	printf("%d\n", copyinstr(arg0) == "user text");
	s = copyinstr(arg0);
	printf("[%s] [%s]\n", s, substr(copyinstr(arg0), 5));
	names[copyinstr(arg0)] = 1;
	printf("%d\n", names["user text"]);
	this->n = arg3;
	printf("[%s]\n", copyinstr(arg0, this->n));
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->p = (int *)copyin(arg1, 12);
	printf("%d %d %d\n", *this->p, this->p[1], this->p[2]);
	printf("%d %d\n", *(int *)copyin(arg1 + 4, sizeof(int)), *(char *)copyin(arg1 + 8, 1));
	printf("%d\n", *(short *)copyin(arg1 + 4, 2));
	this->c = (char *)copyin(arg0, 10);
	printf("[%s] [%s] %c\n", stringof(this->c), stringof(this->c + 5), this->c[4 - 1]);
	printf("%d\n", *(int *)copyin(arg1, arg3));
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	trace("lost");
	trace(copyinstr(arg2));
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	x = *(int *)copyin(arg2, 4);
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	x = copyinstr(0) == "";
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	printf("still here %d\n", x);
}
