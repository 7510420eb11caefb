/*
 * Structs: variables of every scope, members, nested ones, arrays of them, unions; assignment of the whole.
 * @ref d-language 11.4 member-stores nested-members whole-copy
 * @ref d-language 8.2 struct-assigned
 * @ref d-language 9.3 structs
 * @ref d-language 9.2 structs
 */
#pragma D option quiet

struct point {
	int x;
	short y;
};

struct line {
	struct point from;
	struct point to[2];
	char name[4];
	struct line *next;
	union {
		int i;
		unsigned char bytes[4];
	} u;
};

struct point p;
struct line l;
self struct point sp;
this struct line tl;
union both {
	uint32_t whole;
	uint16_t half[2];
};
union both b;

BEGIN
{
	printf("%d %d %d\n", p.x, p.y, l.next == NULL);
	p.x = 1;
	p.y = 70000;
	printf("%d %d\n", p.x, p.y);
	p.x++;
	p.y += 10;
	printf("%d %d\n", p.x, p.y);
	l.from = p;
	l.to[0] = l.from;
	l.to[1].x = l.to[0].x + 40;
	l.to[1].y = -1;
	l.name[0] = 'a';
	l.name[1] = 'b';
	l.u.i = 0x01020304;
	printf("%d %d %d %d %d [%s]\n", l.from.x, l.to[0].x, l.to[0].y, l.to[1].x, l.to[1].y, stringof(l.name));
	printf("%d %d %x\n", l.u.bytes[0], l.u.bytes[3], l.u.i);
	b.whole = 0x11223344;
	b.half[1] = 0xaabb;
	printf("%x %x\n", b.whole, b.half[0]);
}

BEGIN
{
	self->sp = p;
	self->sp.x = 7;
	this->tl = l;
	this->tl.to[0].x = 8;
	l.next = (struct line *)16;
	printf("%d %d, %d %d %d, %d %d\n", self->sp.x, self->sp.y, this->tl.to[0].x, this->tl.to[1].x,
		this->tl.next == NULL, l.to[0].x, p.x);
	q = p;
	p.x = 100;
	printf("%d %d %d\n", q.x, q.y, p.x);
	i = 1;
	printf("%d %d\n", l.to[i].x, l.to[i - 1].x);
	one = 1;
	q = one ? p : l.from;
	printf("%d", q.x);
	q = one > 1 ? p : l.from;
	printf(" %d\n", q.x);
	printf("%d %d %d %d\n", sizeof(struct point), sizeof(struct line), sizeof(p), sizeof(union both));
	printf("%d %d %d\n", offsetof(struct line, to), offsetof(struct line, next), offsetof(struct line, u));
}

/* The next clause of the firing has the same clause-local variable; of the kernel's structs, a copy. */
BEGIN
{
	printf("%d\n", this->tl.to[0].x);
	c = *curthread->cred;
	t = curthread->tasks;
	printf("%d %d\n", c.uid.val == uid, t.next == curthread->tasks.next);
	exit(0);
}
