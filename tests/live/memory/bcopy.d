/*
 * bcopy() from strings, the kernel, scratch memory, arrays and members, to anywhere in scratch memory; n = 0 does nothing.
 * @ref d-builtins 3.1 bcopy bcopy-size
 */
#pragma D option quiet

int a[4];
struct s { char c; int i; } g;

BEGIN
{
	this->d = (char *)alloca(32);
	bcopy("hello", this->d, 6);
	printf("%s %d\n", stringof(this->d), strlen(this->d));
	bcopy("JUNK", this->d + 1, 2);
	printf("%s\n", stringof(this->d));
	bcopy(curthread->comm, this->d, 16);
	printf("%d\n", stringof(this->d) == execname);
	bcopy(&curthread->tgid, this->d + 8, sizeof(int));
	printf("%d\n", *(int *)(this->d + 8) == pid);
	a[1] = 0x41424344;
	a[3] = 5;
	bcopy(a, this->d, sizeof(a));
	printf("%x %d\n", *(int *)(this->d + 4), ((int *)this->d)[3]);
	bcopy(&a[3], this->d + 28, 4);
	g.i = 6;
	bcopy(&g.i, this->d, 4);
	bcopy(this->d, this->d + 4, 4);
	n = 4;
	bcopy(this->d + 28, this->d + n, n - 1);
	printf("%d %d %d\n", *(int *)this->d, *(int *)(this->d + 4), *(int *)(this->d + 28));
	n = 0;
	bcopy(curthread, this->d, 0);
	bcopy((void *)8, this->d, n);
	bcopy(curthread, this->d + 32, n);
	printf("%d\n", *(int *)this->d);
	this->s = execname;
	bcopy(this->s, this->d, 16);
	printf("%d\n", stringof(this->d) == execname);
	exit(0);
}
