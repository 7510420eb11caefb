// SPDX-License-Identifier: Apache-2.0
/* Functions whose prototypes test_dwarf.c looks at. */
#include "sample.h"

struct list global_list[1];
/* the same name in hidden.c */
static volatile int counter = 1;
int (*table[3])(struct list *);

int handle(struct list *l, hidden_t *h, const char *path);
int handle(struct list *l, hidden_t *h, const char *path)
{
	return counter + (l && h && path);
}

/* the same name in hidden.c */
static __attribute__((noinline, used)) int twice(int n)
{
	return n * counter;
}

int variadic(const char *format, ...);
int variadic(const char *format, ...)
{
	return *format + twice(counter);
}

static inline __attribute__((always_inline)) long both(long inlined)
{
	return inlined + counter;
}

/* inlined into others, and there out of line too */
long out_of_line(struct two *p);
long out_of_line(struct two *p)
{
	return both(p->b) + p->a;
}

struct large many(int a, double d, struct two two, struct small small, struct large large,
	struct mixed mixed, long b, long c, long e, char f, float g, struct small late, vector_t v,
	__int128 wide, long double ld, short last);
struct large many(int a, double d, struct two two, struct small small, struct large large,
	struct mixed mixed, long b, long c, long e, char f, float g, struct small late, vector_t v,
	__int128 wide, long double ld, short last)
{
	large.a[0] += a + (long)d + two.a + small.a + mixed.i + b + c + e + f + (long)g + late.b +
		v[0] + (long)wide + (long)ld + last;
	return large;
}

struct floats points(struct floats at, bool yes, enum color color, struct packed packed);
struct floats points(struct floats at, bool yes, enum color color, struct packed packed)
{
	at.x += yes ? (float)color : (float)packed.i;
	return at;
}

/* parameters of these types, so that the compiler keeps them */
void keep(struct bits *b, union number *n, enum sign s, enum big g);
void keep(struct bits *b, union number *n, enum sign s, enum big g)
{
	b->a = n->i == (int)s + (int)g;
}

int hidden_main(void);

int main(void)
{
	struct two t = {1, 2};
	struct list l = {.i8 = 0};
	vector_t v = {1};

	table[0] = 0;
	l.i32 = handle(&global_list[0], 0, "") + variadic("") + (int)out_of_line(&t);
	l.i64 = many(1, 2, t, (struct small){1, 2}, (struct large){{1}}, (struct mixed){1, 2}, 1, 2,
		3, 4, 5, (struct small){1, 2}, v, 1, 1, 1)
			.a[0];
	return hidden_main() + (l.i32 + l.i64 == 1234567);
}
