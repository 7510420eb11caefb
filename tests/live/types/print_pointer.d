/*
 * print(): what is pointed to, by its type; members of 0 are left out.
 * @filter 's/0x[0-9a-f]{6,}/0xADDR/'
 * @ref d-builtins 4 print
 * @ref d-builtins 5.4 struct zero-members arrays enums-and-chars scalar
 */
#pragma D option quiet

enum colour { RED, GREEN };

struct inner {
	char c;
	short s;
};

struct s {
	int a;
	int none;
	struct inner in;
	int array[4];
	enum colour colour;
	void *p;
};

BEGIN
{
	this->s = (struct s *)alloca(sizeof(struct s));
	bcopy((void *)curthread->comm, this->s, 0);
	this->s->a = -5;
	this->s->none = 0;
	this->s->in.c = 'c';
	this->s->in.s = 7;
	this->s->array[0] = 0;
	this->s->array[1] = 1;
	this->s->array[2] = 0;
	this->s->array[3] = 3;
	this->s->colour = GREEN;
	this->s->p = (void *)0x10;
	print(this->s);
	this->i = (int *)alloca(4);
	*this->i = 42;
	print(this->i);
	exit(0);
}
