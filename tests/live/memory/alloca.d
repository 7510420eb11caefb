/*
 * alloca(): all of scratchsize is usable, in pieces that begin at multiples of 8; each clause has all of it again.
 * @ref d-builtins 3.1 alloca alloca-zero
 * @ref d-language 11.3 size
 * @ref d-language 5.1 scratch-per-clause
 */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(256);
	this->p[0] = 'a';
	this->p[255] = 'z';
	i = 255;
	printf("%c %c %c\n", this->p[0], this->p[i], *(this->p + 255));
}

BEGIN
{
	this->a = (char *)alloca(1);
	this->b = (char *)alloca(8);
	this->c = (char *)alloca(9);
	this->d = (char *)alloca(0);
	this->e = (char *)alloca(0);
	this->f = (char *)alloca(216);
	printf("%d %d %d %d %d\n", this->b - this->a, this->c - this->b, this->d - this->c, this->e - this->d,
		this->f - this->e);
	printf("%d\n", (uint64_t)this->a & 7);
	this->a[0] = 1;
	this->b[7] = 2;
	this->c[8] = 3;
	this->f[215] = 4;
	printf("%d %d %d %d\n", this->a[0], this->b[7], this->c[8], this->f[215]);
}

BEGIN
{
	n = 100;
	this->p = (char *)alloca(n);
	this->q = (char *)alloca(n + 52);
	this->p[n - 1] = 'p';
	this->q[151] = 'q';
	printf("%c %c %d\n", this->p[99], this->q[n + 51], this->q - this->p);
	exit(0);
}
