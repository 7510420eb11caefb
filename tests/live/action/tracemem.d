/*
 * tracemem: constant size, and a dynamic one that is less, equal, more, negative and 0.
 * @trigger values memory
 * @args -q
 * @ref d-builtins 4 tracemem tracemem-dynamic
 * @ref output 4 constant-size scratch dynamic dynamic-negative dynamic-more dynamic-zero
 * @ref d-builtins 5.2 rows header
 */
syscall::getppid:entry
/pid == $target && arg0 > 1/
{
	this->p = copyin(arg0, 32);
	printf("20");
	tracemem(this->p, 20);
	printf("20 of 4");
	tracemem(this->p, 20, 4);
	printf("16 of 16");
	tracemem(this->p, 16, 16);
	printf("16 of 17");
	tracemem(this->p, 16, 17);
	printf("16 of -1");
	tracemem(this->p, 16, -1);
	printf("16 of 0");
	tracemem(this->p, 16, 0);
	printf("\n32 of a variable, then 1");
	this->n = 5;
	tracemem((uint64_t)this->p, 32, this->n);
	tracemem((char *)this->p + 31, 1);
}
