/*
 * bcopy(): kernel memory, strings and scratch memory to scratch memory.
 * @stderr
 * @filter 's/(clause_[69] .*address) \(0x[0-9a-f]+\)/\1 (OFFSET)/'
 * @ref d-builtins 3.1 bcopy bcopy-size bcopy-source bcopy-bounds
 * @ref d-language 22.1 badsize
 */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(16);
	bcopy("hello", this->p, 6);
	printf("[%s]", stringof(this->p));
	this->q = (char *)alloca(8);
	bcopy(this->p + 1, this->q, 5);
	printf(" [%s]", stringof(this->q));
	bcopy("HE", this->p, 2);
	printf(" [%s]", stringof(this->p));
	bcopy("x", this->p, 0);
	printf(" [%s]\n", stringof(this->p));
	bcopy(curthread->comm, this->p, 16);
	printf("%d\n", stringof(this->p) == execname);
	this->n = (int *)alloca(4);
	bcopy(&curthread->pid, this->n, 4);
	printf("%d\n", *this->n == tid);
}

BEGIN { n = -1; bcopy("hello", alloca(8), n); }
BEGIN { n = 0; bcopy("hello", alloca(8), n); printf("nothing\n"); }
BEGIN { n = 1000; bcopy("hello", alloca(8), n); }
BEGIN { bcopy((void *)16, alloca(8), 8); }
BEGIN { bcopy((void *)NULL, alloca(8), 8); }
BEGIN { bcopy("hello", (char *)alloca(4) + 8, 4); }
BEGIN { printf("done\n"); exit(0); }
