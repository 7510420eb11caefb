/*
 * Results of copyin() each have memory of their own, and no more than scratchsize.
 * @trigger self memory
 * @stderr
 * @filter 's/probe ID [0-9]+/probe ID N/'
 * @ref d-language 11.3 exhaustion
 * @ref d-builtins 3.1 copyin-size
 * @ref d-language 22.1 noscratch badsize
 * @ref d-language 5.1 scratch-per-clause
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->n = 10000;
	x = copyin(arg1, this->n) != NULL;
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->n = -1;
	x = copyin(arg1, this->n) != NULL;
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->n = 100;
	this->a = (int *)copyin(arg1, this->n);
	this->b = (int *)copyin(arg1 + 4, this->n);
	printf("%d %d\n", *this->a, *this->b);
}

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	this->a = (int *)copyin(arg1, 100);
	this->b = (int *)copyin(arg1 + 4, 100);
	printf("%d %d\n", *this->a, *this->b);
}

ERROR
{
	printf("fault %d\n", arg4);
}
