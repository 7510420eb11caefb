/*
 * Members of struct variables of each class: stores, nested members, arrays and unions; a struct made by assigning one.
 * @ref d-language 11.4 member-stores nested-members whole-copy
 * @ref d-language 8.2 struct-assigned array-created self-array-created
 * @ref d-language 9.5 writable
 * @ref d-language 9.3 structs
 */
#pragma D option quiet

struct in {
	int v[3];
	char name[8];
};
union word {
	int i;
	short s[2];
	char c[4];
};
struct out {
	struct in in[2];
	union word w;
	struct in *p;
	struct { long deep; } anonymous;
};

struct out g;
this struct out t;
self struct out s;

BEGIN
{
	g.in[1].v[2] = 5;
	g.in[1].v[1]++;
	g.in[1].v[1] += 6;
	g.in[0].name[1] = 'n';
	g.w.i = 0x04030201;
	g.anonymous.deep = -1;
	i = 1;
	j = 2;
	printf("%d %d %d %c\n", g.in[i].v[j], g.in[i].v[j - 1], g.in[0].v[j], g.in[0].name[i]);
	printf("%x %x %d %d %d\n", g.w.s[1], g.w.c[i], g.anonymous.deep, g.p == NULL, sizeof(g));
}

/* copies are values */
BEGIN
{
	this->t = g;
	self->s = this->t;
	copy = self->s;
	element[3, "x"] = copy;
	self->element[i] = element[3, "x"];
	g.in[1].v[2] = 0;
	this->t.in[1].v[2] = 1;
	self->s.in[1].v[2] = 2;
	copy.in[1].v[2] = 3;
	element[3, "x"].in[1].v[2] = 4;
	printf("%d %d %d %d %d %d\n", g.in[1].v[2], this->t.in[1].v[2], self->s.in[1].v[2], copy.in[1].v[2],
		element[3, "x"].in[1].v[2], self->element[1].in[1].v[2]);
	printf("%d %d %d %d %d\n", this->t.in[1].v[1], self->s.in[1].v[1], copy.in[1].v[1],
		element[3, "x"].in[1].v[1], self->element[1].in[1].v[1]);
}

/* clause-local ones last for the firing, and so does what is stored in part */
BEGIN
{
	this->t.w.c[3] = 0x7f;
	self->s.w.s[0] = -1;
	self->element[1].w.c[1] = 1;
	element[3, "x"].w.s[1]--;
	printf("%x %x %x %x\n", this->t.w.i, self->s.w.i, self->element[1].w.i, element[3, "x"].w.i);
	copy.in[0] = this->t.in[1];
	printf("%d %d %s|\n", copy.in[0].v[2], copy.in[0].v[1], copy.in[0].name);
	exit(0);
}
