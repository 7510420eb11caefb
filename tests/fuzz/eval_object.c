// SPDX-License-Identifier: Apache-2.0
/* Evaluates variables and memory. */
#include <stdlib.h>
#include <string.h>

#include "eval.h"

struct object *new_object(unsigned size, bool known)
{
	struct object *o = arena(sizeof(*o));

	o->bytes = arena(size);
	o->known = arena(size);
	o->size = size;
	memset(o->known, known, size);
	return o;
}

void copy(struct object *to, int64_t at, const struct object *from, int64_t off, unsigned size)
{
	memmove(to->bytes + at, from->bytes + off, size);
	memmove(to->known + at, from->known + off, size);
}

bool is_dynamic(const struct var *v)
{
	return v->nkeys || v->scope == SELF;
}

/* ---- cells ---- */

static char *bytes_text(struct machine *m, const struct value *v, unsigned size)
{
	char *t = arena(2 * size + 2);

	for (unsigned i = 0; i < size; i++) {
		if (!v->o->known[v->off + i])
			undefined(m, "a key of bytes that were never written");
		sprintf(t + 2 * i, "%02x", v->o->bytes[v->off + i]);
	}
	return t;
}

/* True if the compiler may see that N is NULL. */
static bool constant_null(const struct node *n)
{
	uint64_t v;

	if (n->kind == N_COND && constant(n->kid[0], &v))
		return constant_null(n->kid[v ? 1 : 2]);
	return n->kind == N_NULL;
}

const char *tuple(struct machine *m, struct node *const *kid, const struct ty *const *t, unsigned n,
	struct value *out)
{
	const char *key = "";

	for (unsigned i = 0; i < n; i++) {
		struct value v = eval(m, kid[i]);

		if (is_int(t[i])) {
			v.i = wrap(v.i, t[i]);
			key = arena_printf("%s%llx,", key, (unsigned long long)v.i);
		} else if (is_str(t[i])) {
			if (!v.s && constant_null(kid[i]))
				undefined(m, "NULL as a key");
			if (!v.s)
				fault(m, FAULT_BADADDR, 0);
			key = arena_printf("%s%zu:%s,", key, strlen(v.s), v.s);
		} else {
			key = arena_printf("%s%s,", key, bytes_text(m, &v, t[i]->size));
		}
		if (out)
			out[i] = v;
	}
	return key;
}

static struct cell *new_cell(const struct ty *t)
{
	struct cell *c = arena(sizeof(*c));

	if (is_int(t) || t->kind == K_REC || t->kind == K_ARR)
		c->o = *new_object(t->size, true);
	return c;
}

static struct cell *cell(
	struct machine *m, const struct var *v, const char *key, const struct value *keys)
{
	/* the target's thread-locals are its own */
	bool target = v->scope == SELF && m->target;
	struct cell *c;

	key = arena_printf("%d %s", target, key);
	for (c = m->cells; c; c = c->next)
		if (c->var == v && !strcmp(c->key, key))
			return c;
	c = new_cell(v->type);
	c->var = v;
	c->key = key;
	memcpy(c->keys, keys, sizeof(c->keys));
	/* unset: 0, NULL, but "" where the storage is always there */
	if (is_str(v->type) && !is_dynamic(v))
		c->v.s = "";
	c->next = m->cells;
	m->cells = c;
	return c;
}

struct cell *local_cell(const struct local *l, struct value v)
{
	struct cell *c = new_cell(l->type);
	struct place p = {.o = &c->o, .type = l->type, .cell = c};

	store(NULL, &p, v);
	return c;
}

/* ---- places ---- */

void make_whole(const struct place *p)
{
	if (p->whole)
		p->whole->present = true;
}

static struct place element(struct machine *m, const struct node *n)
{
	struct place p;
	int64_t i;

	if (n->kid[0]->type->kind == K_PTR) {
		struct value v = eval(m, n->kid[0]);

		i = (int64_t)number(m, n->kid[1]);
		return (struct place){.o = v.o,
			.off = v.off + (int64_t)((uint64_t)i * n->type->size),
			.type = n->type};
	}
	p = locate(m, n->kid[0]);
	i = (int64_t)number(m, n->kid[1]);
	if (i < 0 || i >= n->kid[0]->type->n)
		fault(m, FAULT_BADINDEX, i);
	return (struct place){
		.o = p.o, .off = p.off + i * n->type->size, .type = n->type, .whole = p.whole};
}

static struct place member(struct machine *m, const struct node *n)
{
	struct place p = {0};

	if (n->kind == N_ARROW) {
		struct value v = eval(m, n->kid[0]);

		if (!v.o && n->kid[0]->type->kind == K_OBJ)
			fault(m, FAULT_BADADDR, 0);
		p.o = v.o;
		p.off = v.off;
	} else {
		p = locate(m, n->kid[0]);
	}
	p.off += n->field->off / 8;
	p.cell = NULL;
	p.type = n->type;
	p.bits = n->field->bits ? n->field : NULL;
	return p;
}

/* A character of a string that is a variable or a member. */
static struct place character(struct machine *m, const struct node *n)
{
	struct place *text = arena(sizeof(*text));
	unsigned size = n->kid[0]->type->size ? n->kid[0]->type->size : m->p->strsize;
	int64_t i;

	*text = locate(m, n->kid[0]);
	i = n->nkids > 1 ? (int64_t)number(m, n->kid[1]) : 0;
	if (text->cell && !text->cell->v.s)
		fault(m, FAULT_BADADDR, i);
	if (i < 0 || i >= size)
		fault(m, FAULT_BADINDEX, i);
	return (struct place){.off = i, .type = n->type, .text = text, .whole = text->whole};
}

/* What follows the string's end is not known. */
static uint64_t read_character(struct machine *m, const struct place *p)
{
	const char *s = read_place(m, p->text).s;

	if (p->off > (int64_t)strlen(s)) {
		undefined(m, "a character behind the string's end");
		return 0;
	}
	return (uint64_t)(int64_t)s[p->off];
}

static void write_character(struct machine *m, const struct place *p, uint64_t u)
{
	const char *s = read_place(m, p->text).s;
	char *t;

	if (p->off >= (int64_t)strlen(s)) {
		if ((char)u)
			undefined(m, "a string that is made longer");
		return;
	}
	t = (char *)cut(m, s, SIZE_MAX);
	t[p->off] = (char)u;
	store(m, p->text, (struct value){.s = cut(m, t, SIZE_MAX)});
}

struct place locate(struct machine *m, const struct node *n)
{
	struct place p = {.type = n->type};
	struct value keys[MAX_KEYS] = {{0}};
	struct value v;
	const char *key;

	switch (n->kind) {
	case N_VAR:
		key = tuple(m, n->kid, n->var->keys, n->nkids, keys);
		p.cell = p.whole = cell(m, n->var, key, keys);
		p.o = &p.cell->o;
		break;
	case N_LOCAL:
		p.cell = n->local->cell;
		p.o = &p.cell->o;
		break;
	case N_FIELD:
	case N_ARROW:
		return member(m, n);
	case N_INDEX:
		return is_str(n->kid[0]->type) ? character(m, n) : element(m, n);
	case N_DEREF:
		if (is_str(n->kid[0]->type))
			return character(m, n);
		v = eval(m, n->kid[0]);
		p.o = v.o;
		p.off = v.off;
		break;
	default: /* a struct that is no lvalue */
		v = eval(m, n);
		p.o = v.o;
		p.off = v.off;
		break;
	}
	return p;
}

bool is_accessible(struct machine *m, const struct place *p, unsigned size)
{
	if (!p->o || p->off < 0 || (p->o->scratch && p->o != m->scratch))
		return false;
	return p->off + size <= (p->o->scratch ? m->top : p->o->size);
}

void check_access(struct machine *m, const struct place *p, unsigned size)
{
	if (!p->o)
		fault(m, FAULT_BADADDR, p->off);
	if (p->o->scratch) {
		if (p->o != m->scratch && (m->top || p->o->firing != m->firing))
			undefined(m, "a pointer of an earlier clause's");
		/* the first byte has offset 8 */
		if (p->o != m->scratch || p->off < 0 || p->off > (int64_t)m->top - (int64_t)size)
			fault(m, FAULT_BADADDR, (int64_t)((uint64_t)p->off + 8));
		return;
	}
	if (p->off < 0 || p->off > (int64_t)p->o->size - (int64_t)size) {
		undefined(m, "a pointer leaves its array");
		fault(m, FAULT_BADADDR, 1);
	}
}

static unsigned access_size(struct machine *m, const struct place *p)
{
	if (!p->bits)
		return p->type->size;
	if (!p->o || (p->o->scratch && (p->off < 0 || (p->off & ~7) + 16 > m->top)))
		undefined(m, "the address of a bit-field in a fault");
	return (p->bits->off % 8 + p->bits->bits + 7) / 8;
}

uint64_t read_int(struct machine *m, const struct place *p)
{
	unsigned size = access_size(m, p), bits = 8 * size;
	unsigned __int128 v = 0;
	uint64_t u;

	check_access(m, p, size);
	for (unsigned i = 0; i < size; i++) {
		v |= (unsigned __int128)p->o->bytes[p->off + i] << 8 * i;
		if (!p->o->known[p->off + i])
			undefined(m, "bytes that were never written");
	}
	u = (uint64_t)v;
	if (p->bits) {
		u = (uint64_t)(v >> p->bits->off % 8);
		bits = p->bits->bits;
	}
	u <<= 64 - bits;
	return p->type->is_signed ? (uint64_t)((int64_t)u >> (64 - bits)) : u >> (64 - bits);
}

static void write_int(struct machine *m, const struct place *p, uint64_t u)
{
	unsigned size = access_size(m, p), shift = p->bits ? p->bits->off % 8 : 0;
	unsigned bits = p->bits ? p->bits->bits : 8 * size;
	unsigned __int128 mask = ((unsigned __int128)(~0ull >> (64 - bits))) << shift, v;

	check_access(m, p, size);
	v = ((unsigned __int128)u << shift) & mask;
	for (unsigned i = 0; i < size; i++) {
		uint8_t *b = &p->o->bytes[p->off + i];

		*b = (uint8_t)((*b & ~(uint8_t)(mask >> 8 * i)) | (uint8_t)(v >> 8 * i));
		if (!p->bits)
			p->o->known[p->off + i] = true;
	}
}

/* A string that is a member. */
static const char *member_text(struct machine *m, const struct place *p)
{
	char *t = arena(storage(p->type));

	check_access(m, p, storage(p->type));
	for (unsigned i = 0; i < p->type->size; i++) {
		if (!p->o->known[p->off + i])
			undefined(m, "bytes that were never written");
		if (!(t[i] = (char)p->o->bytes[p->off + i]))
			break;
	}
	return cut(m, t, SIZE_MAX);
}

/* Sets a string member; the bytes after the new string's end stay or not. */
static void set_member(struct machine *m, const struct place *p, const char *s)
{
	unsigned size = storage(p->type), len = s ? (unsigned)strlen(s) : 0;

	check_access(m, p, size);
	if (!s)
		undefined(m, "a null string in a struct");
	memcpy(p->o->bytes + p->off, s ? s : "", len + 1);
	memset(p->o->known + p->off, true, len + 1);
	memset(p->o->known + p->off + len + 1, false, size - len - 1);
}

struct value read_place(struct machine *m, const struct place *p)
{
	struct value v = {0};

	if (p->text) {
		v.i = read_character(m, p);
	} else if (is_int(p->type)) {
		v.i = read_int(m, p);
	} else if (p->type->kind == K_REC) {
		check_access(m, p, p->type->size);
		v.o = new_object(p->type->size, true);
		copy(v.o, 0, p->o, p->off, p->type->size);
	} else if (!p->cell) {
		v.s = member_text(m, p);
	} else {
		v = p->cell->v;
	}
	return v;
}

void store(struct machine *m, const struct place *p, struct value v)
{
	if (p->text) {
		write_character(m, p, v.i);
	} else if (is_int(p->type)) {
		write_int(m, p, v.i);
		if (p->cell)
			p->cell->present = v.i != 0;
	} else if (p->type->kind == K_REC) {
		check_access(m, p, p->type->size);
		copy(p->o, p->off, v.o, v.off, p->type->size);
		if (p->cell)
			p->cell->present = true;
	} else if (!p->cell) {
		set_member(m, p, v.s);
	} else {
		p->cell->v = v;
		p->cell->present = v.s || v.o;
	}
}
