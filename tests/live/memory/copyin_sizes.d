/*
 * Sizes of copyin(), constant or not: all of scratchsize, 0, too much, negative; what is left after other allocations.
 * @trigger values memory
 * @stderr
 * @filter 's/probe ID [0-9]+ /probe ID N /'
 * @ref d-builtins 3.1 copyin copyin-size copyin-unreadable
 * @ref d-language 11.3 exhaustion writes
 * @ref d-language 22.1 badsize noscratch badaddr
 * @ref d-language 22.2 arg5-value
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg0 > 1/
{
	this->p = (char *)copyin(arg0, 32);
	n = 24;
	this->q = (char *)copyin(arg0 + 8, n);
	printf("%d %d %d %d %d\n", this->p[0], this->p[31], this->q[0], this->q[23], this->q - this->p);
	this->p[31] += 100;
	*(int *)this->q = -1;
	printf("%d %d %d\n", this->p[31], this->q[3], this->q[4]);
	n = 0;
	this->r = copyin(arg0, n);
	printf("%d\n", this->r == (void *)(this->q + 24));
	printf("%d %d\n", *(short *)copyin(arg0 + 2, 2), ((char *)copyin(arg0, 5))[4]);
}
syscall::getppid:entry /pid == $target && arg0 > 1/ { n = -1; this->p = copyin(arg0, n); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { n = 300; this->p = copyin(arg0, n); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->a = alloca(240); n = 32; this->p = copyin(arg0, n); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->p = copyin(24, 8); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->p = copyin(-1, 8); }
syscall::getppid:entry /pid == $target && arg0 > 1/ { this->p = (char *)copyin(arg0, 32); trace(this->p[32]); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
