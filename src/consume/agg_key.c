// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static const struct name *name_find(const struct names *n, const struct datum *d, uint64_t id)
{
	struct id_key k = {d->part, id};
	int64_t at = n->by_id.stride ? tab_find(&n->by_id, &k) : -ENOENT;
	const uint64_t *number = at < 0 ? NULL : tab_rec(&n->by_id, (uint32_t)at);

	return number ? &n->list[*number] : NULL;
}

/* Find the first name with the text of number AT, and link AT to those of the same hash. */
static int name_link(struct names *n, uint32_t at)
{
	struct name *name = &n->list[at];
	struct text_key k = {name->part, tab_hash(name->text, strlen(name->text))};
	int64_t slot = tab_put(&n->by_text, &k);
	uint32_t *head;

	if (slot < 0)
		return (int)slot;
	head = tab_rec(&n->by_text, (uint32_t)slot);
	name->first = at;
	for (uint32_t i = *head; i; i = n->list[i - 1].next)
		if (!strcmp(n->list[i - 1].text, name->text))
			name->first = n->list[i - 1].first;
	if (name->first == at) {
		name->next = *head;
		*head = at + 1;
	}
	return 0;
}

static int name_add(struct aggs *a, const struct datum *d, uint64_t id, const void *bytes)
{
	struct names *n = &a->names;
	struct id_key k = {d->part, id};
	const char *text = a->text(a->text_arg, d, bytes);
	struct name *name;
	int64_t at;

	if (!n->by_id.stride) {
		tab_init(&n->by_id, sizeof(struct id_key), 8);
		tab_init(&n->by_text, sizeof(struct text_key), 8);
	}
	if (n->n == n->cap) {
		uint32_t cap = n->cap ? n->cap * 2 : 64;
		void *list = realloc(n->list, cap * sizeof(*n->list));

		if (!list)
			return -ENOMEM;
		n->list = list;
		n->cap = cap;
	}
	name = &n->list[n->n];
	*name = (struct name){.id = id, .part = d->part, .text = strdup(text ? text : "")};
	if (!name->text)
		return -ENOMEM;
	if (name_link(n, n->n)) {
		free(name->text);
		return -ENOMEM;
	}
	n->n++;
	at = tab_put(&n->by_id, &k);
	if (at < 0)
		return -ENOMEM;
	*(uint64_t *)tab_rec(&n->by_id, (uint32_t)at) = n->n - 1;
	return 0;
}

void names_free(struct names *n)
{
	for (uint32_t i = 0; i < n->n; i++)
		free(n->list[i].text);
	free(n->list);
	tab_fini(&n->by_id);
	tab_fini(&n->by_text);
}

/* ---- rewriting ---- */

static bool is_reducible(enum datum_kind k)
{
	return k == DATUM_STACK || k == DATUM_SYM || k == DATUM_MOD || k == DATUM_USYM ||
		k == DATUM_UMOD;
}

bool key_rewrites(const struct aggs *a, const struct agg_desc *d)
{
	for (uint32_t i = 0; i < d->nkeys; i++)
		if ((a->reduce && is_reducible(d->keys[i].kind)) ||
			(a->text && d->keys[i].kind == DATUM_PROBEID))
			return true;
	return false;
}

int key_rewrite(struct aggs *a, const struct agg_desc *d, void *key)
{
	for (uint32_t i = 0; i < d->nkeys; i++) {
		const struct datum *k = &d->keys[i];
		char *bytes = (char *)key + k->offset;

		if (a->reduce && is_reducible(k->kind))
			a->reduce(a->reduce_arg, k, bytes);
		if (a->text && k->kind == DATUM_PROBEID) {
			uint64_t id = read_int(k, key);
			const struct name *name = name_find(&a->names, k, id);
			int err = name ? 0 : name_add(a, k, id, bytes);

			if (err)
				return err;
			if (!name)
				name = name_find(&a->names, k, id);
			id = a->names.list[name->first].id;
			memcpy(bytes, &id, k->size < 8 ? k->size : 8);
		}
	}
	return 0;
}

/* ---- comparing ---- */

/* How a datum compares; equal data of joined aggregations are of the same class. */
enum compare_as { COMPARE_NUMBER, COMPARE_TEXT, COMPARE_UADDR, COMPARE_BYTES, COMPARE_NOTHING };

static enum compare_as class_of(const struct aggs *a, const struct datum *d)
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
		return COMPARE_TEXT;
	case DATUM_PROBEID:
		return a->text ? COMPARE_TEXT : COMPARE_NUMBER;
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		return COMPARE_UADDR;
	case DATUM_FLOAT:
	case DATUM_BYTES:
	case DATUM_STACK:
	case DATUM_USTACK:
		return COMPARE_BYTES;
	default:
		return COMPARE_NOTHING;
	}
}

struct span {
	const char *p;
	size_t len;
};

static struct span text_of(const struct aggs *a, const struct datum *d, const void *key)
{
	const char *p = (const char *)key + d->offset;
	const struct name *name;

	switch (d->kind) {
	case DATUM_LITERAL:
		return (struct span){d->literal, strlen(d->literal)};
	case DATUM_PROBEID:
		name = name_find(&a->names, d, read_int(d, key));
		return name ? (struct span){name->text, strlen(name->text)} : (struct span){"", 0};
	default:
		return (struct span){p, strnlen(p, d->size)};
	}
}

/* Trailing zeros do not count: the shorter of two stacks is filled with them. */
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

/* The number that the datum stands for, as 64 bits. */
static uint64_t read_extended(const struct datum *d, const void *key)
{
	uint64_t v = read_int(d, key);
	uint32_t unused = d->size < 8 ? 64 - 8 * d->size : 0;

	return d->is_signed ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

/* Unsigned, at its own size; of two sizes, as the numbers that they are. */
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

static int datum_compare(const struct aggs *a, const struct datum *dx, const void *x,
	const struct datum *dy, const void *y)
{
	enum compare_as cx = class_of(a, dx), cy = class_of(a, dy);

	if (cx != cy)
		return cx > cy ? 1 : -1;
	switch (cx) {
	case COMPARE_NUMBER:
		return number_compare(dx, x, dy, y);
	case COMPARE_TEXT:
		return span_compare(text_of(a, dx, x), text_of(a, dy, y));
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

int key_compare(
	const struct aggs *a, const struct agg_row *x, const struct agg_row *y, uint32_t first)
{
	uint32_t n = x->desc->nkeys;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (first + i) % n;
		int c = datum_compare(a, &x->desc->keys[k], x->key, &y->desc->keys[k], y->key);

		if (c)
			return c;
	}
	return 0;
}

uint64_t key_hash(const struct aggs *a, const struct agg_row *r, bool same_sizes)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < r->desc->nkeys; i++) {
		const struct datum *d = &r->desc->keys[i];
		struct span s = {"", 0};
		uint64_t part[2] = {h, 0};

		switch (class_of(a, d)) {
		case COMPARE_NUMBER:
			part[1] = same_sizes ? read_int(d, r->key) : read_extended(d, r->key);
			break;
		case COMPARE_TEXT:
			s = text_of(a, d, r->key);
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
			part[1] = tab_hash(s.p, s.len);
		h = tab_hash(part, sizeof(part));
	}
	return h;
}

uint64_t key_prefix(const struct aggs *a, const struct agg_row *r, uint32_t n)
{
	const struct datum *d = &r->desc->keys[n];
	uint64_t v = 0;
	struct span s;

	switch (class_of(a, d)) {
	case COMPARE_NUMBER:
		return read_int(d, r->key);
	case COMPARE_TEXT:
		s = text_of(a, d, r->key);
		break;
	case COMPARE_BYTES:
		s = (struct span){(const char *)r->key + d->offset, d->size};
		break;
	default:
		return 0;
	}
	memcpy(&v, s.p, s.len < 8 ? s.len : 8);
	return __builtin_bswap64(v);
}

bool key_prefix_is_all(const struct aggs *a, const struct agg_row *r, uint32_t n)
{
	return class_of(a, &r->desc->keys[n]) == COMPARE_NUMBER;
}
