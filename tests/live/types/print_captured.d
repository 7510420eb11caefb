/*
 * print() of more bytes than printsize: as many as were captured, then dots.
 * @args -x printsize=8
 * @filter 's/0x[0-9a-f]{6,}/0xADDR/'
 * @ref d-builtins 5.4 printsize
 * @ref options 3 printsize
 */
#pragma D option quiet

struct s {
	int a;
	int b;
	int c;
	int d;
};

BEGIN
{
	this->s = (struct s *)alloca(sizeof(struct s));
	this->s->a = 1;
	this->s->b = 2;
	this->s->c = 3;
	this->s->d = 4;
	print(this->s);
	exit(0);
}
