/*
 * Bit-fields: signed ones are sign-extended, stores leave their neighbours alone, whatever the variable's class.
 * @ref d-language 7.5 sign assignment base-type width-range
 */
#pragma D option quiet

struct b {
	int a : 3;
	unsigned b : 3;
	int : 2;
	long c : 20;
	unsigned long d : 36;
	char e : 8;
	enum { NO, YES } f : 2;
};
struct b g;
struct b zero;
struct b element[int];
self struct b s;
this struct b t;

BEGIN
{
	g.a = 3;
	g.b = 7;
	g.c = -524288;
	g.d = 0xabcdef123;
	g.e = -128;
	g.f = YES;
	printf("%d %d %d %x %d %d\n", g.a, g.b, g.c, g.d, g.e, g.f);
	g.a++;
	g.b++;
	g.c--;
	g.d += 1;
	g.e <<= 1;
	printf("%d %d %d %x %d %d\n", g.a, g.b, g.c, g.d, g.e, g.f);
	g.b = 5;
	g.c = 0;
	printf("%d %d %d %x %d %d\n", g.a, g.b, g.c, g.d, g.e, g.f);
}

/* the value of the assignment is what the bit-field holds */
BEGIN
{
	printf("%d %d %d\n", g.a = 5, g.b = 9, g.a == -3);
}

BEGIN
{
	element[1] = zero;
	element[1].c = 77;
	element[1].a = -1;
	element[1].a++;
	self->s = zero;
	self->s.d = 0xfffffffff;
	self->s.c = 1;
	this->t.e = 'e';
	this->t.c = -1;
	this->p = (struct b *)alloca(sizeof(struct b));
	*this->p = zero;
	this->p->c = -2;
	this->p->b = 6;
	this->p->b ^= 3;
	printf("%d %d %x %d %c %d %d %d\n", element[1].a, element[1].c, self->s.d, self->s.c, this->t.e, this->t.c,
		this->p->c, this->p->b);
	exit(0);
}
