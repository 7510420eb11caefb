/*
 * alloca(): scratch memory that can be written, in blocks of 8 bytes; none of it is left when it is used up.
 * @stderr
 * @ref d-builtins 3.1 alloca alloca-exhausted alloca-zero
 * @ref d-language 11.3 size exhaustion writes
 * @ref d-language 9.5 scratch-writable
 */
#pragma D option quiet

BEGIN
{
	this->p = (int *)alloca(4 * sizeof(int));
	*this->p = 1;
	this->p[1] = 2;
	*(this->p + 2) = 3;
	this->p[3] = this->p[0] + this->p[1] + this->p[2];
	this->p[0]++;
	this->p[1] += 40;
	printf("%d %d %d %d\n", this->p[0], this->p[1], this->p[2], this->p[3]);
	this->c = (char *)alloca(3);
	this->d = (char *)alloca(1);
	this->c[0] = 'a';
	this->c[1] = 'b';
	this->c[2] = 0;
	*this->d = 'z';
	printf("[%s] %c %d\n", stringof(this->c), *this->d, this->d - this->c);
	this->e = (char *)alloca(0);
	this->f = (char *)alloca(0);
	printf("%d %d\n", this->e == this->f, this->e - this->d);
	this->s = (short *)this->p;
	this->s[1] = -1;
	printf("%x\n", this->p[0]);
}

BEGIN
{
	this->p = (int *)alloca(256);
	this->p[63] = 63;
	printf("all of it: %d\n", this->p[63]);
	this->q = (int *)alloca(1);
	printf("not reached\n");
}

BEGIN
{
	n = 257;
	this->p = (int *)alloca(n);
	printf("not reached\n");
}

BEGIN
{
	this->p = (int *)alloca(200);
	this->p = (int *)alloca(56);
	*this->p = 5;
	printf("again: %d\n", *this->p);
	exit(0);
}
