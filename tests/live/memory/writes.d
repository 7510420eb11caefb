/*
 * What is in scratch memory can be written: *p, p[i], p->m, members and elements of any depth, with every assignment
 * operator, through pointers that were moved, cast or kept in variables of any class.
 * @ref d-language 11.3 writes arithmetic
 * @ref d-language 9.5 scratch-writable
 * @ref d-language 11.4 whole-copy
 * @ref d-language 9.4 pointers
 */
#pragma D option quiet

struct in { short h[3]; };
struct s {
	int a;
	int b[4];
	struct in in[2];
	unsigned bits : 4;
	int rest : 12;
};
struct s g;
int *typed;

BEGIN
{
	this->p = (struct s *)alloca(sizeof(struct s));
	this->p->a = 3;
	this->p->a += 2;
	this->p->b[0] = 0;
	this->p->b[2] = 7;
	this->p->b[2]++;
	i = 1;
	this->p->in[i].h[i + 1] = -9;
	this->p->in[0] = this->p->in[1];
	this->p->bits = 15;
	this->p->rest = -1;
	this->p->bits--;
	printf("%d %d %d %d %d %d\n", this->p->a, this->p->b[2], this->p->in[1].h[2], this->p->in[0].h[2],
		this->p->bits, this->p->rest);
	g = *this->p;
	g.a = 50;
	printf("%d %d %d\n", g.b[2], this->p->a, g.rest);
	*this->p = g;
	printf("%d\n", this->p->a);
}

BEGIN
{
	this->q = (int *)alloca(16);
	*this->q++ = 1;
	*this->q = 2;
	*++this->q = 3;
	this->q[1] = 4;
	this->q -= 2;
	printf("%d %d %d %d\n", this->q[0], this->q[1], *(this->q + 2), *(3 + this->q));
	typed = &this->q[3];
	*typed <<= 3;
	self->p = typed - 1;
	*self->p ^= 1;
	e["x"] = self->p - 1;
	*e["x"] = -*e["x"];
	((char *)this->q)[0] = 'A';
	*(short *)((char *)this->q + 2) = 1;
	printf("%x %d %d %d %d\n", this->q[0], this->q[1], this->q[2], this->q[3], typed - e["x"]);
	this->v = alloca(8);
	*(long *)this->v = -1;
	((int *)this->v)[1] = 0;
	printf("%x\n", *(long *)this->v);
	*(int *)alloca(4) = 5;
	exit(0);
}
