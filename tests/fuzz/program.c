// SPDX-License-Identifier: Apache-2.0
/* Allocates the tree of a generated program: memory, types, constants. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define INT(id, name, size, is_signed) [id] = {K_INT, name, size, is_signed, .align = size}

const struct ty types[] = {
	INT(T_CHAR, "char", 1, true),
	INT(T_INT8, "int8_t", 1, true),
	INT(T_UCHAR, "unsigned char", 1, false),
	INT(T_SHORT, "short", 2, true),
	INT(T_USHORT, "uint16_t", 2, false),
	INT(T_INT, "int", 4, true),
	INT(T_UINT, "unsigned int", 4, false),
	INT(T_LONG, "long", 8, true),
	INT(T_ULONG, "unsigned long", 8, false),
	INT(T_LLONG, "long long", 8, true),
	INT(T_ULLONG, "unsigned long long", 8, false),
	INT(T_INT64, "int64_t", 8, true),
	INT(T_UINT64, "uint64_t", 8, false),
	INT(T_SIZE, "size_t", 8, false),
	[T_STRING] = {.kind = K_STR, .name = "string"},
	[T_VOID] = {.kind = K_VOID, .name = "void"},
	INT(T_ENUM, "enum e0", 4, true),
};

/* ---- memory ---- */

#define CHUNK (1 << 20)

static struct chunk {
	struct chunk *next;
	size_t used, size;
	char data[];
} * chunks;

void *arena(size_t size)
{
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (!chunks || chunks->used + size > chunks->size) {
		size_t room = size > CHUNK ? size : CHUNK;
		struct chunk *c = malloc(sizeof(*c) + room);

		if (!c)
			abort();
		c->next = chunks;
		c->used = 0;
		c->size = room;
		chunks = c;
	}
	p = chunks->data + chunks->used;
	chunks->used += size;
	return memset(p, 0, size);
}

char *arena_printf(const char *fmt, ...)
{
	char text[8192];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(text))
		abort();
	return memcpy(arena((size_t)n + 1), text, (size_t)n + 1);
}

void arena_reset(void)
{
	while (chunks) {
		struct chunk *c = chunks;

		chunks = c->next;
		free(c);
	}
}

/* ---- types ---- */

const struct ty *array_of(const struct ty *t, unsigned n)
{
	struct ty *a = arena(sizeof(*a));

	a->kind = K_ARR;
	a->name = t->name;
	a->of = t;
	a->n = n;
	a->size = n * t->size;
	a->align = t->align;
	return a;
}

const struct ty *pointer_to(const struct ty *t, bool scratch)
{
	struct ty *p = arena(sizeof(*p));

	p->kind = K_PTR;
	p->name = t->name;
	p->of = t;
	p->size = p->align = 8;
	p->scratch = scratch;
	return p;
}

const struct ty *object_of(const struct ty *t)
{
	struct ty *p = arena(sizeof(*p));

	p->kind = K_OBJ;
	p->name = t->name;
	p->of = t;
	p->size = p->align = 8;
	return p;
}

static unsigned up(unsigned n, unsigned to)
{
	return (n + to - 1) / to * to;
}

unsigned storage(const struct ty *t)
{
	return is_str(t) ? t->size + 1 : t->size;
}

void lay_out(struct ty *rec)
{
	unsigned end = 0, size = 0;

	rec->align = 1;
	for (unsigned i = 0; i < rec->nfields; i++) {
		struct field *f = &rec->field[i];
		unsigned unit = 8 * storage(f->type);

		if (rec->is_union)
			end = 0;
		if (f->type->align > rec->align)
			rec->align = f->type->align;
		/* a bit-field goes behind the last one where it crosses no unit of its type */
		if (!f->bits || end / unit != (end + f->bits - 1) / unit)
			end = up(end, 8 * f->type->align);
		f->off = end;
		end += f->bits ? f->bits : unit;
		if (end > size)
			size = end;
	}
	rec->size = up(up(size, 8) / 8, rec->align);
}

const struct ty *promoted(const struct ty *t)
{
	return t->kind == K_INT && t->size < 4 ? &types[T_INT] : t;
}

const struct ty *operand(const struct node *n)
{
	bool member = n->kind == N_FIELD || n->kind == N_ARROW;

	return member && n->field->bits && n->field->bits < 32 && n->type->size <= 4 ? &types[T_INT]
										     : n->type;
}

/* Returns the common type of two branches or operands. */
static const struct ty *usual(const struct ty *a, const struct ty *b)
{
	if (is_str(a) || is_str(b))
		return &types[T_STRING];
	if (!is_int(a))
		return a;
	if (!is_int(b))
		return b;
	a = promoted(a);
	b = promoted(b);
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	return b->is_signed ? a : a->is_signed ? b : a;
}

uint64_t wrap(uint64_t v, const struct ty *t)
{
	unsigned up = 64 - 8 * t->size;

	if (t->kind != K_INT || t->size == 8)
		return v;
	return t->is_signed ? (uint64_t)((int64_t)(v << up) >> up) : v << up >> up;
}

static bool is_comparison(const char *op)
{
	return strchr("<>=!", *op) && strcmp(op, "<<") && strcmp(op, ">>");
}

static const struct ty *binary_type(const struct node *n)
{
	const struct ty *a = operand(n->kid[0]), *b = operand(n->kid[1]);

	if (is_comparison(n->op) || !strcmp(n->op, "&&") || !strcmp(n->op, "||") ||
		!strcmp(n->op, "^^"))
		return &types[T_INT];
	if (!strcmp(n->op, "<<") || !strcmp(n->op, ">>"))
		return promoted(a);
	if (a->kind == K_PTR && b->kind == K_PTR)
		return &types[T_LONG];
	if (is_str(a) || is_str(b)) /* the rest of a string */
		return is_str(a) ? a : b;
	return usual(a, b);
}

static const struct ty *call_type(const char *f)
{
	static const struct {
		const char *name;
		unsigned type;
	} ints[] = {{"strlen", T_SIZE}, {"index", T_INT}, {"rindex", T_INT}, {"strtoll", T_INT64},
		{"htons", T_USHORT}, {"ntohl", T_UINT}, {"htonll", T_UINT64}};

	for (unsigned i = 0; i < sizeof(ints) / sizeof(ints[0]); i++)
		if (!strcmp(f, ints[i].name))
			return &types[ints[i].type];
	return &types[T_STRING];
}

void retype(struct node *n)
{
	const struct ty *t;

	for (unsigned i = 0; i < n->nkids; i++)
		retype(n->kid[i]);
	switch (n->kind) {
	case N_VAR:
		n->type = n->var->type;
		break;
	case N_LOCAL:
		n->type = n->local->type;
		break;
	case N_STR:
	case N_NULL:
		n->type = &types[T_STRING];
		break;
	case N_UNARY:
		n->type = *n->op == '!' ? &types[T_INT] : promoted(operand(n->kid[0]));
		break;
	case N_BINARY:
		n->type = binary_type(n);
		break;
	case N_COND:
		n->type = usual(operand(n->kid[1]), operand(n->kid[2]));
		break;
	case N_COMMA:
		n->type = n->kid[1]->type;
		break;
	case N_SIZEOF:
		n->type = &types[T_SIZE];
		break;
	case N_ASSIGN:
	case N_PREFIX:
	case N_POSTFIX:
		n->type = n->kid[0]->type;
		break;
	case N_CALL:
		if (strcmp(n->text, "alloca")) /* that one's is what it is cast to */
			n->type = call_type(n->text);
		break;
	case N_FIELD:
	case N_ARROW:
		n->type = n->field->type;
		break;
	case N_INDEX:
	case N_DEREF:
		t = n->kid[0]->type;
		n->type = is_str(t) ? &types[T_CHAR] : t->of;
		break;
	case N_ADDR: {
		const struct node *base = n->kid[0];

		while (base->kind == N_FIELD ||
			(base->kind == N_INDEX && base->kid[0]->type->kind == K_ARR))
			base = base->kid[0];
		if (!n->type || n->type->of != n->kid[0]->type)
			n->type = pointer_to(n->kid[0]->type, base->kind != N_VAR);
		break;
	}
	case N_INLINE:
	case N_FUNC:
		n->type = n->def->result;
		break;
	case N_XLATE:
		if (n->type && n->type->kind == K_OBJ)
			break;
		n->type = n->field ? n->field->type : n->def->result;
		break;
	default: /* N_INT, N_KNOWN, N_RAW, N_CAST have theirs */
		break;
	}
}

/* ---- constants ---- */

/* The uses of inlines that are being folded, innermost first. */
static const struct use {
	const struct use *outer;
	const struct node *node;
} * uses;

static bool parameter(const struct local *l, uint64_t *v)
{
	const struct use *u = uses;
	bool ok;

	if (!u)
		return false;
	for (unsigned i = 0; i < u->node->def->nparams; i++) {
		if (&u->node->def->param[i] != l)
			continue;
		uses = u->outer;
		ok = is_int(l->type) && constant(u->node->kid[i], v);
		uses = u;
		*v = wrap(*v, l->type);
		return ok;
	}
	return false;
}

/* Returns the expression for a use of an inline or of a translator's member. */
static const struct node *definition(const struct node *n)
{
	const struct def *d = n->def;

	if (d->kind == D_INLINE)
		return d->value;
	for (unsigned i = 0; i < d->nmembers; i++)
		if (n->field == d->member[i])
			return d->mvalue[i];
	return NULL;
}

uint64_t cut_to_field(uint64_t v, const struct node *n)
{
	unsigned up = n->kind == N_XLATE && n->field && n->field->bits ? 64 - n->field->bits : 0;

	v <<= up;
	return n->type->is_signed ? (uint64_t)((int64_t)v >> up) : v >> up;
}

static bool inlined(const struct node *n, uint64_t *v)
{
	struct use u = {uses, n};
	bool ok;

	if (!is_int(n->type) || !definition(n))
		return false;
	uses = &u;
	ok = constant(definition(n), v);
	uses = u.outer;
	*v = cut_to_field(wrap(*v, n->type), n);
	return ok;
}

static bool binary(const struct node *n, uint64_t *v)
{
	uint64_t a, b;
	bool zero = false;

	if (!is_int(n->kid[0]->type) || !constant(n->kid[0], &a))
		return false;
	if ((!strcmp(n->op, "&&") && !a) || (!strcmp(n->op, "||") && a)) {
		*v = a != 0;
		return true;
	}
	if (!is_int(n->kid[1]->type) || !constant(n->kid[1], &b))
		return false;
	if (!strcmp(n->op, "<<") || !strcmp(n->op, ">>")) {
		*v = eval_binary(n->op, a, b, n->type, &zero);
	} else {
		const struct ty *t = usual(n->kid[0]->type, n->kid[1]->type);

		*v = eval_binary(n->op, a, b, t, &zero);
	}
	return !zero;
}

bool constant(const struct node *n, uint64_t *v)
{
	const struct ty *t;
	uint64_t a, b;

	switch (n->kind) {
	case N_INT:
		*v = n->value;
		return true;
	case N_LOCAL:
		return parameter(n->local, v);
	case N_INLINE:
	case N_XLATE:
		return inlined(n, v);
	case N_SIZEOF:
		t = n->kid[0]->type;
		*v = n->kid[0]->kind == N_STR ? strlen(n->kid[0]->text) + 1 : t->size;
		return true;
	case N_CAST:
		if (!is_int(n->kid[0]->type) || !is_int(n->type) || !constant(n->kid[0], &a))
			return false;
		*v = wrap(a, n->type);
		return true;
	case N_UNARY:
		if (!is_int(n->kid[0]->type) || !constant(n->kid[0], &a))
			return false;
		*v = *n->op == '-' ? -a : *n->op == '~' ? ~a : *n->op == '!' ? !a : a;
		return true;
	case N_COND:
		if (!is_int(n->type) || !is_int(n->kid[0]->type) || !constant(n->kid[0], &a) ||
			!constant(n->kid[a ? 1 : 2], &b))
			return false;
		*v = b;
		return true;
	case N_BINARY:
		return binary(n, v);
	default:
		return false;
	}
}

uint64_t eval_binary(const char *op, uint64_t a, uint64_t b, const struct ty *t, bool *zero)
{
	bool s = t->is_signed;

	switch (*op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
	case '%':
		if (!b) {
			*zero = true;
			return 0;
		}
		if (s && b == UINT64_MAX)
			return *op == '/' ? -a : 0;
		if (*op == '/')
			return s ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
		return s ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
	case '&':
		return op[1] == '&' ? a && b : a & b;
	case '|':
		return op[1] == '|' ? a || b : a | b;
	case '^':
		return op[1] == '^' ? !a != !b : a ^ b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		if (op[1] == '<')
			return a << (b & 63);
		if (op[1])
			return s ? (int64_t)a <= (int64_t)b : a <= b;
		return s ? (int64_t)a < (int64_t)b : a < b;
	default:
		if (op[1] == '>')
			return s ? (uint64_t)((int64_t)a >> (b & 63)) : a >> (b & 63);
		if (op[1])
			return s ? (int64_t)a >= (int64_t)b : a >= b;
		return s ? (int64_t)a > (int64_t)b : a > b;
	}
}
