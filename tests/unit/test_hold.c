// SPDX-License-Identifier: Apache-2.0
/*
 * consume/hold: records come out as they went in, by order or by group.
 * @ref options 6 off-per-cpu
 */
#include "test.h"

#include "abi/kernel.h"
#include "breaks.h"
#include "consume/hold.h"

#define MANY 5000

struct rec {
	struct dt_rec rec;
	uint32_t number;
	char text[];
};

struct log {
	uint32_t numbers[MANY], n, stop_at;
	bool torn;
};

static int note(void *arg, const struct dt_rec *rec, size_t size)
{
	const struct rec *r = (const struct rec *)rec;
	struct log *l = arg;

	for (size_t i = sizeof(*r); i < size; i++)
		l->torn |= r->text[i - sizeof(*r)] != (char)r->number;
	l->torn |= (uintptr_t)rec % 8 != 0;
	l->numbers[l->n++] = r->number;
	return l->n == l->stop_at ? 42 : 0;
}

static void add(struct hold *h, uint32_t group, uint32_t number, size_t text)
{
	struct rec *r = malloc(sizeof(*r) + text);

	*r = (struct rec){.number = number};
	memset(r->text, (char)number, text);
	CHECK_INT(hold_add(h, group, &r->rec, sizeof(*r) + text), 0);
	free(r);
}

static void expect(const struct log *l, const uint32_t *want, uint32_t n)
{
	CHECK_INT(l->n, n);
	for (uint32_t i = 0; i < n && i < l->n; i++)
		CHECK_INT(l->numbers[i], want[i]);
	CHECK(!l->torn);
}

static void test_order(void)
{
	static const uint32_t groups[] = {3, 1, 3, 0, 1, 9};
	static const uint32_t in_order[] = {0, 1, 2, 3, 4, 5}, by_group[] = {3, 1, 4, 0, 2, 5};
	struct hold *h = hold_new();
	struct log l = {0};

	CHECK_INT(hold_deliver(h, false, note, &l), 0); /* nothing */
	CHECK_INT(hold_deliver(h, true, note, &l), 0);
	CHECK_INT(l.n, 0);
	for (int turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0; i < 6; i++)
			add(h, groups[i], i, 3 * i);
		CHECK_INT(hold_bytes(h, 3), 2 * sizeof(struct rec) + 6);
		CHECK_INT(hold_bytes(h, 2), 0);
		CHECK_INT(hold_bytes(h, 77), 0);
		l = (struct log){0};
		CHECK_INT(hold_deliver(h, turn != 0, note, &l), 0);
		expect(&l, turn ? by_group : in_order, 6);
		/* it is forgotten */
		CHECK_INT(hold_bytes(h, 3), 0);
		l = (struct log){0};
		CHECK_INT(hold_deliver(h, turn == 0, note, &l), 0);
		CHECK_INT(l.n, 0);
	}
	/* what the visitor returns ends it, and the rest is forgotten, too */
	for (int turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0; i < 6; i++)
			add(h, groups[i], i, 0);
		l = (struct log){.stop_at = 2};
		CHECK_INT(hold_deliver(h, turn != 0, note, &l), 42);
		expect(&l, turn ? by_group : in_order, 2);
		l = (struct log){0};
		CHECK_INT(hold_deliver(h, true, note, &l), 0);
		CHECK_INT(l.n, 0);
	}
	hold_free(h);
}

/* Far more than a block, and records that are longer than one. */
static void test_many(void)
{
	struct hold *h = hold_new();
	struct log l = {0};
	size_t bytes = 0;

	for (uint32_t i = 0; i < MANY; i++) {
		size_t text = i % 1000 == 7 ? 300000 : i % 400;

		add(h, i % 5, i, text);
		if (i % 5 == 0)
			bytes += sizeof(struct rec) + text;
	}
	CHECK_INT(hold_bytes(h, 0), bytes);
	CHECK_INT(hold_deliver(h, true, note, &l), 0);
	CHECK_INT(l.n, MANY);
	CHECK(!l.torn);
	for (uint32_t i = 0; i < MANY; i++)
		if (l.numbers[i] != i % (MANY / 5) * 5 + i / (MANY / 5))
			CHECK_INT(l.numbers[i], i);
	hold_free(h);
}

static int add_again(void *h, const struct dt_rec *rec, size_t size)
{
	return hold_add(h, 0, rec, size);
}

/* Adds what would be forgotten when all is delivered. */
static void add_within(void *h)
{
	hold_deliver(h, true, add_again, h);
}

static void test_defect(void)
{
	struct hold *h = hold_new();

	add(h, 1, 1, 8);
	CHECK(breaks("consume/hold.c", add_within, h));
	hold_free(h);
}

int main(void)
{
	test_order();
	test_many();
	test_defect();
	hold_free(NULL);
	return test_done();
}
