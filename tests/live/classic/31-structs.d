#!/usr/sbin/dtrace -s
/*
 * Structures of the script's own: nested, with arrays, unions, bit-fields and enums, printed by
 * print() and member by member, copied, pointed to and looked into byte by byte.
 * @ref output 10 indent member unions
 */

#pragma D option quiet

enum color { RED, GREEN = 5, BLUE };

typedef struct point {
	int32_t x;
	int32_t y;
} point_t;

struct shape {
	char name[8];
	enum color color;
	point_t corner[2];
	union {
		uint32_t word;
		uint8_t byte[4];
	} u;
	unsigned int flags : 3, level : 5;
	void *next;
	uint64_t big;
};

struct shape *first;
struct shape kept;

dtrace:::BEGIN
{
	this->s = (struct shape *)alloca(sizeof (struct shape));
	this->s->name[0] = 'b';
	this->s->name[1] = 'o';
	this->s->name[2] = 'x';
	this->s->color = GREEN;
	this->s->corner[0].x = -1;
	this->s->corner[1].x = 640;
	this->s->corner[1].y = 480;
	this->s->u.word = 0x01020304;
	this->s->flags = 5;
	this->s->level = 17;
	this->s->next = (void *)0x1000;
	this->s->big = 1ULL << 40;
	print(*this->s);
	printf("\n");
	kept = *this->s;
}

dtrace:::BEGIN
{
	printf("%s is %s, flags %d level %d\n", stringof(kept.name), kept.color == GREEN ? "green" : "other",
	    kept.flags, kept.level);
	printf("(%d,%d)-(%d,%d)\n", kept.corner[0].x, kept.corner[0].y, kept.corner[1].x, kept.corner[1].y);
	printf("bytes %d %d %d %d\n", kept.u.byte[0], kept.u.byte[1], kept.u.byte[2], kept.u.byte[3]);
	printf("sizes %d %d, offsets %d %d %d\n", sizeof (struct shape), sizeof (kept.corner),
	    offsetof(struct shape, color), offsetof(struct shape, u), offsetof(struct shape, next));
	this->p = &kept.corner[1];
	this->y = this->p->y + (*this->p).x + this->p[-1].x;
	printf("by pointer %d, %d apart\n", this->y, this->p - &kept.corner[0]);
	kept.corner[1].x = this->p[-1].x;
	kept.corner[1].y++;
	printf("(%d,%d), next %p, big %d\n", kept.corner[1].x, kept.corner[1].y, kept.next, kept.big);
}

dtrace:::BEGIN
{
	this->a = (point_t *)alloca(2 * sizeof (point_t));
	bcopy(&kept.corner[0], this->a, 2 * sizeof (point_t));
	this->a[0].x = 7;
	printf("copied %d %d, original %d\n", this->a[0].x, this->a[1].y, kept.corner[0].x);
	tracemem(this->a, 16);
	print(this->a[1]);
	printf("\n");
	print(BLUE + 0);
	printf("\n");
	print((enum color)5);
	printf("\n");
	print("text");
	printf("\n");
	exit(0);
}
