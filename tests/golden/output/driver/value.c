// SPDX-License-Identifier: Apache-2.0
/* Parses types and values of data; see rec.h. */
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "consume/stacks.h"
#include "rec.h"

#include "../../../unit/stack_table.h"

/* The size after a type's name: none, in bytes, or in frames. */
enum sizing { FIXED, BYTES, FRAMES };

static const struct type_name {
	const char *name;
	enum datum_kind kind;
	uint32_t size;
	bool is_signed;
	enum sizing sizing;
} types[] = {
	{"int8", DATUM_INT, 1, true, FIXED},
	{"int16", DATUM_INT, 2, true, FIXED},
	{"int32", DATUM_INT, 4, true, FIXED},
	{"int64", DATUM_INT, 8, true, FIXED},
	{"uint8", DATUM_INT, 1, false, FIXED},
	{"uint16", DATUM_INT, 2, false, FIXED},
	{"uint32", DATUM_INT, 4, false, FIXED},
	{"uint64", DATUM_INT, 8, false, FIXED},
	{"ptr", DATUM_PTR, 8, false, FIXED},
	{"float", DATUM_FLOAT, 4, false, FIXED},
	{"double", DATUM_FLOAT, 8, false, FIXED},
	{"longdouble", DATUM_FLOAT, 16, false, FIXED},
	{"string", DATUM_STRING, 0, false, BYTES},
	{"chars", DATUM_CHARS, 0, false, BYTES},
	{"uchars", DATUM_CHARS, 0, false, BYTES},
	{"bytes", DATUM_BYTES, 0, false, BYTES},
	{"literal", DATUM_LITERAL, 0, false, FIXED},
	{"probeprov", DATUM_PROBEPROV, 0, false, FIXED},
	{"probemod", DATUM_PROBEMOD, 0, false, FIXED},
	{"probefunc", DATUM_PROBEFUNC, 0, false, FIXED},
	{"probename", DATUM_PROBENAME, 0, false, FIXED},
	{"probeid", DATUM_PROBEID, 8, false, FIXED},
	{"stack", DATUM_STACK, 0, false, FRAMES},
	{"ustack", DATUM_USTACK, 0, false, FRAMES},
	{"sym", DATUM_SYM, 8, false, FIXED},
	{"mod", DATUM_MOD, 8, false, FIXED},
	{"usym", DATUM_USYM, 16, false, FIXED},
	{"uaddr", DATUM_UADDR, 16, false, FIXED},
	{"umod", DATUM_UMOD, 16, false, FIXED},
};

static const struct type_name *find(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	die("no type \"%s\"", name);
}

struct datum type_take(struct words *w, uint32_t *end, bool key)
{
	const struct type_name *t = find(word_take(w));
	struct datum d = {
		.kind = t->kind, .is_signed = t->is_signed, .offset = *end, .size = t->size};
	uint32_t len;

	d.is_char = !strcmp(t->name, "chars");
	if (t->sizing == BYTES)
		d.size = (uint32_t)number_take(w);
	if (t->sizing == FRAMES)
		d.size = 8 *
			((uint32_t)number_take(w) + (d.kind == DATUM_STACK ? DT_STACK_EXTRA : 1));
	if (key && (d.kind == DATUM_STACK || d.kind == DATUM_USTACK)) {
		d.kind = d.kind == DATUM_STACK ? DATUM_STACK_ID : DATUM_USTACK_ID;
		d.size = 8;
	}
	if (d.kind == DATUM_LITERAL)
		d.literal = string_take(w, &len);
	if (d.kind == DATUM_PROBEID)
		d.part = find(word_take(w))->kind;
	*end += d.size;
	if (*end > sizeof(((struct image *)NULL)->bytes) / 2)
		die("too many bytes");
	return d;
}

/* A frame's address, or "..": the end, where numbers follow that are none. */
static void take_frames(struct words *w, uint8_t *to, uint32_t room)
{
	while (words_left(w) && !word_accept(w, "..")) {
		uint64_t pc = (uint64_t)number_take(w);

		if (room < sizeof(pc))
			die("too many frames");
		memcpy(to, &pc, sizeof(pc));
		to += sizeof(pc);
		room -= sizeof(pc);
	}
}

static struct stack_table table;

struct stacks *stacks_of(struct symtab *syms)
{
	return stacks_new(&table, STACK_TABLE_RING, STACK_TABLE_FRAMES, syms, UINT64_MAX);
}

/* A stack that a key names; the process is first in that of a user. */
static uint64_t take_kept_stack(struct words *w, bool user)
{
	uint64_t words[STACK_TABLE_FRAMES + 1] = {0}, *pc = words + user;
	uint32_t n = 0;

	take_frames(w, (uint8_t *)words, sizeof(words));
	while (n < STACK_TABLE_FRAMES && pc[n])
		n++;
	return stack_table_keep(&table, user ? words[0] | DT_STACK_USER : 0, pc, n);
}

static void take_float(struct words *w, const struct datum *d, uint8_t *to)
{
	long double value = strtold(word_take(w), NULL);
	double dbl = (double)value;
	float flt = (float)value;

	if (d->size == sizeof(flt))
		memcpy(to, &flt, sizeof(flt));
	else if (d->size == sizeof(dbl))
		memcpy(to, &dbl, sizeof(dbl));
	else
		memcpy(to, &value, sizeof(value));
}

static void take_bytes(struct words *w, const struct datum *d, uint8_t *to)
{
	uint32_t len;
	const char *text = string_take(w, &len);

	if (len > d->size)
		die("%u bytes do not fit in %u", len, d->size);
	memcpy(to, text, len);
}

void value_take(struct words *w, const struct datum *d, struct image *image)
{
	uint8_t *to = image->bytes + d->offset;
	uint64_t n;

	switch (d->kind) {
	case DATUM_LITERAL:
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
		return;
	case DATUM_FLOAT:
		take_float(w, d, to);
		return;
	case DATUM_STRING:
	case DATUM_CHARS:
	case DATUM_BYTES:
		take_bytes(w, d, to);
		return;
	case DATUM_STACK:
	case DATUM_USTACK:
		take_frames(w, to, d->size);
		return;
	case DATUM_STACK_ID:
	case DATUM_USTACK_ID:
		n = take_kept_stack(w, d->kind == DATUM_USTACK_ID);
		memcpy(to, &n, sizeof(n));
		return;
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		n = (uint64_t)number_take(w);
		memcpy(to, &n, sizeof(n));
		to += sizeof(n);
		n = (uint64_t)number_take(w);
		memcpy(to, &n, sizeof(n));
		return;
	default:
		n = (uint64_t)number_take(w);
		memcpy(to, &n, d->size);
	}
}
