// SPDX-License-Identifier: Apache-2.0
/* Keys of aggregations: rewriting them to what they look like, comparing and hashing them. */
#include "consume/agg_key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/flags.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "probe/part.h"
#include "sym/sym.h"

uint32_t key_len(const struct agg_desc *d)
{
	if (!d->nkeys)
		return 0;
	return agg_is_distribution(d) ? d->bucket_off : d->key_size;
}

/* ---- names of probes: equal ones are known by the first id that has them ---- */

struct id_key {
	uint64_t part, id;
};
struct text_key {
	uint64_t part, hash;
};

static uint64_t read_int(const struct datum *d, const void *key)
{
	const char *p = (const char *)key + d->offset;
	uint64_t v = 0;

	memcpy(&v, p, d->size < 8 ? d->size : 8); /* little-endian, as every target is */
	return v;
}

static const struct key_name *name_find(
	const struct agg_keys *keys, const struct datum *d, uint64_t id)
{
	struct id_key k = {d->part, id};
	int64_t at = keys->by_id.stride ? rectab_find(&keys->by_id, &k) : -ENOENT;
	const uint64_t *number = at < 0 ? NULL : rectab_rec(&keys->by_id, (uint32_t)at);

	return number ? &keys->names.data[*number] : NULL;
}

/* Find the first name with the text of number AT, and link AT to those of the same hash. */
static int name_link(struct agg_keys *keys, uint32_t at)
{
	struct key_name *name = &keys->names.data[at];
	struct text_key k = {name->part, rectab_hash(name->text, strlen(name->text))};
	int64_t slot = rectab_put(&keys->by_text, &k);
	uint32_t *head;

	if (slot < 0)
		return (int)slot;
	head = rectab_rec(&keys->by_text, (uint32_t)slot);
	name->first = at;
	for (uint32_t i = *head; i; i = keys->names.data[i - 1].next)
		if (!strcmp(keys->names.data[i - 1].text, name->text))
			name->first = keys->names.data[i - 1].first;
	if (name->first == at) {
		name->next = *head;
		*head = at + 1;
	}
	return 0;
}

static int name_add(struct agg_keys *keys, const struct datum *d, uint64_t id)
{
	struct id_key k = {d->part, id};
	const struct probe *p = keys->probe(keys->probe_arg, id);
	struct key_name *name;
	int64_t at;

	if (!keys->by_id.stride) {
		rectab_init(&keys->by_id, sizeof(struct id_key), 8);
		rectab_init(&keys->by_text, sizeof(struct text_key), 8);
	}
	name = heapvec_add(&keys->names);
	if (!name)
		return -ENOMEM;
	name->id = id;
	name->part = d->part;
	name->text = strndup(
		p ? probe_part(p, d->part) : "", d->string_size ? d->string_size - 1 : SIZE_MAX);
	if (!name->text || name_link(keys, keys->names.len - 1)) {
		free(name->text);
		keys->names.len--;
		return -ENOMEM;
	}
	at = rectab_put(&keys->by_id, &k);
	if (at < 0)
		return -ENOMEM;
	*(uint64_t *)rectab_rec(&keys->by_id, (uint32_t)at) = keys->names.len - 1;
	return 0;
}

void keys_free(struct agg_keys *keys)
{
	for (uint32_t i = 0; i < keys->names.len; i++)
		free(keys->names.data[i].text);
	heapvec_free(&keys->names);
	rectab_fini(&keys->by_id);
	rectab_fini(&keys->by_text);
}

/* ---- rewriting ---- */

static bool is_reducible(enum datum_kind k)
{
	return k == DATUM_SYM || k == DATUM_MOD || k == DATUM_USYM || k == DATUM_UMOD;
}

/*
 * Addresses of one symbol (or module) are one key.  Returns false if that is not known, or known of
 * code that a JIT compiler may replace.
 */
static bool reduce(struct symtab *syms, const struct datum *k, void *bytes)
{
	bool user = datum_is_user(k), module = k->kind == DATUM_MOD || k->kind == DATUM_UMOD;
	uint64_t words[2], *addr = &words[user];
	struct sym_info info;

	memcpy(words, bytes, user ? 16 : 8);
	if (user)
		sym_user(syms, (pid_t)words[0], *addr, &info);
	else
		sym_kernel(syms, *addr, &info);
	if (module && *info.object)
		*addr = info.object_start;
	else if (!module && *info.name)
		*addr = info.start;
	memcpy(bytes, words, user ? 16 : 8);
	return *(module ? info.object : info.name) && *info.object != '[';
}

bool key_rewrites(const struct agg_keys *keys, const struct agg_desc *d)
{
	for (uint32_t i = 0; i < d->nkeys; i++)
		if ((keys->syms && is_reducible(d->keys[i].kind)) ||
			(keys->stacks && datum_is_kept_stack(&d->keys[i])) ||
			(keys->probe && d->keys[i].kind == DATUM_PROBEID))
			return true;
	return false;
}

int key_rewrite(struct agg_keys *keys, const struct agg_desc *d, void *key, bool *settled)
{
	for (uint32_t i = 0; i < d->nkeys; i++) {
		const struct datum *k = &d->keys[i];
		char *bytes = (char *)key + k->offset;

		if (keys->syms && is_reducible(k->kind))
			*settled &= reduce(keys->syms, k, bytes);
		if (keys->stacks && datum_is_kept_stack(k)) {
			const struct kept_stack *stack =
				stacks_hold(keys->stacks, read_int(k, key));

			*settled &= stack != NULL;
			if (stack)
				memcpy(bytes, &stack->first, sizeof(stack->first));
		}
		if (keys->probe && k->kind == DATUM_PROBEID) {
			uint64_t id = read_int(k, key);
			const struct key_name *name = name_find(keys, k, id);
			int err = name ? 0 : name_add(keys, k, id);

			if (err)
				return err;
			if (!name)
				name = name_find(keys, k, id);
			id = keys->names.data[name->first].id;
			memcpy(bytes, &id, k->size < 8 ? k->size : 8);
		}
	}
	return 0;
}

/* ---- comparing ---- */

/* The ways to compare data; equal data of joined aggregations are of the same class. */
enum compare_as {
	COMPARE_NUMBER,
	COMPARE_TEXT,
	COMPARE_UADDR,
	COMPARE_BYTES,
	COMPARE_STACK,
	COMPARE_NOTHING
};

static enum compare_as class_of(const struct agg_keys *keys, const struct datum *d)
{
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
	case DATUM_SYM:
	case DATUM_MOD:
		return COMPARE_NUMBER;
	case DATUM_STRING:
	case DATUM_CHARS:
	case DATUM_LITERAL:
	case DATUM_FLAGS:
		return COMPARE_TEXT;
	case DATUM_PROBEID:
		return keys->probe ? COMPARE_TEXT : COMPARE_NUMBER;
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		return COMPARE_UADDR;
	case DATUM_FLOAT:
	case DATUM_BYTES:
		return COMPARE_BYTES;
	case DATUM_STACK_ID:
	case DATUM_USTACK_ID:
		return keys->stacks ? COMPARE_STACK : COMPARE_NUMBER;
	default:
		return COMPARE_NOTHING;
	}
}

struct span {
	const char *p;
	size_t len;
};

/* Room for a text that is made of a number. */
struct room {
	char text[1024];
};

static struct span text_of(
	const struct agg_keys *keys, const struct datum *d, const void *key, struct room *room)
{
	const char *p = (const char *)key + d->offset;
	const struct key_name *name;

	switch (d->kind) {
	case DATUM_FLAGS:
		return (struct span){room->text,
			flag_text(d->flags, read_int(d, key), room->text,
				d->string_size < sizeof(room->text) ? d->string_size
								    : sizeof(room->text))};
	case DATUM_LITERAL:
		return (struct span){d->literal, strlen(d->literal)};
	case DATUM_PROBEID:
		name = name_find(keys, d, read_int(d, key));
		return name ? (struct span){name->text, strlen(name->text)} : (struct span){"", 0};
	default:
		return (struct span){p, strnlen(p, d->size)};
	}
}

/* Trailing zeros do not count: the shorter of two values is filled with them. */
static struct span bytes_of(const struct datum *d, const void *key)
{
	const char *p = (const char *)key + d->offset;
	size_t len = d->size;

	while (len && !p[len - 1])
		len--;
	return (struct span){p, len};
}

static int span_compare(struct span x, struct span y)
{
	int c = memcmp(x.p, y.p, x.len < y.len ? x.len : y.len);

	return c ? c : (x.len > y.len) - (x.len < y.len);
}

/* Stacks that are not known, having been evicted, come first, by their ids. */
static int stack_compare(struct stacks *stacks, uint64_t idx, uint64_t idy)
{
	const struct kept_stack *x = stacks_hold(stacks, idx), *y = stacks_hold(stacks, idy);
	int c;

	if (!x || !y)
		return x ? 1 : y ? -1 : (idx > idy) - (idx < idy);
	c = memcmp(&x->pid, &y->pid, sizeof(x->pid));
	if (c)
		return c;
	return span_compare((struct span){(const char *)x->pc, sizeof(x->pc[0]) * x->n},
		(struct span){(const char *)y->pc, sizeof(y->pc[0]) * y->n});
}

/* Returns the number that the datum stands for, as 64 bits. */
static uint64_t read_extended(const struct datum *d, const void *key)
{
	uint64_t v = read_int(d, key);
	uint32_t unused = d->size < 8 ? 64 - 8 * d->size : 0;

	return d->is_signed ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

/* Compares numbers unsigned, at their size; those of two sizes by their values. */
static int number_compare(
	const struct datum *dx, const void *x, const struct datum *dy, const void *y)
{
	bool same = dx->size == dy->size;
	uint64_t vx = same ? read_int(dx, x) : read_extended(dx, x);
	uint64_t vy = same ? read_int(dy, y) : read_extended(dy, y);

	return (vx > vy) - (vx < vy);
}

static int uaddr_compare(const char *x, const char *y)
{
	struct dt_uaddr ux, uy;

	memcpy(&ux, x, sizeof(ux));
	memcpy(&uy, y, sizeof(uy));
	if (ux.tgid != uy.tgid)
		return ux.tgid > uy.tgid ? 1 : -1;
	return (ux.addr > uy.addr) - (ux.addr < uy.addr);
}

static int datum_compare(const struct agg_keys *keys, const struct datum *dx, const void *x,
	const struct datum *dy, const void *y)
{
	enum compare_as cx = class_of(keys, dx), cy = class_of(keys, dy);
	struct room rx, ry;

	if (cx != cy)
		return cx > cy ? 1 : -1;
	switch (cx) {
	case COMPARE_NUMBER:
		return number_compare(dx, x, dy, y);
	case COMPARE_TEXT:
		return span_compare(text_of(keys, dx, x, &rx), text_of(keys, dy, y, &ry));
	case COMPARE_STACK:
		return stack_compare(keys->stacks, read_int(dx, x), read_int(dy, y));
	case COMPARE_UADDR:
		return uaddr_compare((const char *)x + dx->offset, (const char *)y + dy->offset);
	case COMPARE_BYTES:
		if (dx->size == dy->size)
			return memcmp((const char *)x + dx->offset, (const char *)y + dy->offset,
				dx->size);
		return span_compare(bytes_of(dx, x), bytes_of(dy, y));
	default:
		return 0;
	}
}

int key_compare(const struct agg_keys *keys, const struct agg_row *x, const struct agg_row *y,
	uint32_t first)
{
	uint32_t n = x->desc->nkeys;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (first + i) % n;
		int c = datum_compare(keys, &x->desc->keys[k], x->key, &y->desc->keys[k], y->key);

		if (c)
			return c;
	}
	return 0;
}

uint64_t key_hash(const struct agg_keys *keys, const struct agg_row *r, bool same_sizes)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < r->desc->nkeys; i++) {
		const struct datum *d = &r->desc->keys[i];
		struct span s = {"", 0};
		struct room room;
		uint64_t part[2] = {h, 0};

		switch (class_of(keys, d)) {
		case COMPARE_STACK: /* rewritten: the same stack has the same id */
		case COMPARE_NUMBER:
			part[1] = same_sizes ? read_int(d, r->key) : read_extended(d, r->key);
			break;
		case COMPARE_TEXT:
			s = text_of(keys, d, r->key, &room);
			break;
		case COMPARE_UADDR:
			s = (struct span){
				(const char *)r->key + d->offset, sizeof(struct dt_uaddr)};
			break;
		case COMPARE_BYTES:
			s = bytes_of(d, r->key);
			break;
		default:
			break;
		}
		if (s.len)
			part[1] = rectab_hash(s.p, s.len);
		h = rectab_hash(part, sizeof(part));
	}
	return h;
}

/* The first word by which stack_compare() compares. */
static uint64_t stack_prefix(struct stacks *stacks, uint64_t id)
{
	const struct kept_stack *k = stacks_hold(stacks, id);
	uint64_t word = 0;

	if (k && k->user)
		word = (uint64_t)k->pid;
	else if (k && k->n)
		word = k->pc[0];
	return __builtin_bswap64(word);
}

uint64_t key_prefix(const struct agg_keys *keys, const struct agg_row *r, uint32_t n)
{
	const struct datum *d = &r->desc->keys[n];
	uint64_t v = 0;
	struct room room;
	struct span s;

	switch (class_of(keys, d)) {
	case COMPARE_NUMBER:
		return read_int(d, r->key);
	case COMPARE_TEXT:
		s = text_of(keys, d, r->key, &room);
		break;
	case COMPARE_BYTES:
		s = (struct span){(const char *)r->key + d->offset, d->size};
		break;
	case COMPARE_STACK:
		return stack_prefix(keys->stacks, read_int(d, r->key));
	default:
		return 0;
	}
	memcpy(&v, s.p, s.len < 8 ? s.len : 8);
	return __builtin_bswap64(v);
}

bool key_prefix_is_all(const struct agg_keys *keys, const struct agg_row *r, uint32_t n)
{
	return class_of(keys, &r->desc->keys[n]) == COMPARE_NUMBER;
}
