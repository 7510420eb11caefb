/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types: functions with parameters of every kind, each called once with known values.
 * @cc -g
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

enum color { RED, GREEN = 5, BLUE };

struct point {
	int x, y;
};

struct inner {
	const char *name;
	char text[12];
	struct point at;
};

struct outer {
	struct inner *in;
	struct outer *next;
	enum color color;
	unsigned low : 3, high : 5;
	int flag : 2;
	bool yes;
	union {
		uint32_t word;
		uint8_t bytes[4];
	} u;
	struct point points[2];
	double ratio;
};

typedef struct outer outer_t;

volatile long keep;

NOINLINE int handle(outer_t *o, const char *text, enum color c)
{
	keep++;
	return -(int)c;
}

NOINLINE outer_t *find(outer_t *o)
{
	keep++;
	return o->next;
}

NOINLINE enum color paint(int8_t small, uint16_t word, bool yes, char letter)
{
	keep++;
	return BLUE;
}

NOINLINE double mixed(double d, int i, float f, long l)
{
	keep++;
	return d + i + f + (double)l;
}

/* in two registers, by their address, as the ABI passes them */
NOINLINE long by_value(struct point p, int after)
{
	keep++;
	return p.x + after;
}

NOINLINE long big_value(outer_t o, int after)
{
	keep++;
	return o.u.word + after;
}

NOINLINE void nothing(void)
{
	keep++;
}

int main(void)
{
	struct inner in = {"a name", "some text", {3, -4}};
	struct inner second = {"second", "other", {5, 6}};
	outer_t last = {.in = &second, .color = BLUE};
	outer_t o = {&in, &last, GREEN, 5, 17, -1, true, {0x01020304}, {{1, 2}, {3, 4}}, 0.5};

	handle(&o, "passed", GREEN);
	find(&o);
	paint(-3, 65535, true, 'x');
	mixed(1.5, 2, 3.5f, 4);
	by_value(in.at, 7);
	big_value(o, 8);
	nothing();
	return 0;
}
