// SPDX-License-Identifier: Apache-2.0
/* The tree: memory, types, constants, walking. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

const struct ty types[] = {
	[T_CHAR] = {"char", 1, true},
	[T_INT8] = {"int8_t", 1, true},
	[T_UCHAR] = {"unsigned char", 1, false},
	[T_SHORT] = {"short", 2, true},
	[T_USHORT] = {"uint16_t", 2, false},
	[T_INT] = {"int", 4, true},
	[T_UINT] = {"unsigned int", 4, false},
	[T_LONG] = {"long", 8, true},
	[T_ULONG] = {"unsigned long", 8, false},
	[T_LLONG] = {"long long", 8, true},
	[T_ULLONG] = {"unsigned long long", 8, false},
	[T_INT64] = {"int64_t", 8, true},
	[T_UINT64] = {"uint64_t", 8, false},
	[T_SIZE] = {"size_t", 8, false},
	[T_STRING] = {"string", 0, false},
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

const struct ty *promoted(const struct ty *t)
{
	return t->size && t->size < 4 ? &types[T_INT] : t;
}

static const struct ty *usual(const struct ty *a, const struct ty *b)
{
	if (!a->size || !b->size)
		return &types[T_STRING];
	a = promoted(a);
	b = promoted(b);
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	return b->is_signed ? a : a->is_signed ? b : a;
}

uint64_t wrap(uint64_t v, const struct ty *t)
{
	unsigned up = 64 - 8 * t->size;

	if (!t->size || t->size == 8)
		return v;
	return t->is_signed ? (uint64_t)((int64_t)(v << up) >> up) : v << up >> up;
}

static bool is_comparison(const char *op)
{
	return strchr("<>=!", *op) && strcmp(op, "<<") && strcmp(op, ">>");
}

static const struct ty *binary_type(const struct node *n)
{
	if (is_comparison(n->op) || !strcmp(n->op, "&&") || !strcmp(n->op, "||") ||
		!strcmp(n->op, "^^"))
		return &types[T_INT];
	if (!strcmp(n->op, "<<") || !strcmp(n->op, ">>"))
		return promoted(n->kid[0]->type);
	return usual(n->kid[0]->type, n->kid[1]->type);
}

void retype(struct node *n)
{
	for (unsigned i = 0; i < n->nkids; i++)
		retype(n->kid[i]);
	switch (n->kind) {
	case N_VAR:
		n->type = n->var->type;
		break;
	case N_STR:
		n->type = &types[T_STRING];
		break;
	case N_UNARY:
		n->type = *n->op == '!' ? &types[T_INT] : promoted(n->kid[0]->type);
		break;
	case N_BINARY:
		n->type = binary_type(n);
		break;
	case N_COND:
		n->type = usual(n->kid[1]->type, n->kid[2]->type);
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
		n->type = strcmp(n->text, "strlen") ? &types[T_STRING] : &types[T_SIZE];
		break;
	default: /* N_INT, N_KNOWN, N_RAW, N_CAST have theirs */
		break;
	}
}

/* ---- constants ---- */

bool constant(const struct node *n, uint64_t *v)
{
	uint64_t a, b;
	bool zero = false;

	switch (n->kind) {
	case N_INT:
		*v = n->value;
		return true;
	case N_SIZEOF:
		*v = n->kid[0]->kind == N_STR ? strlen(n->kid[0]->text) + 1 : n->kid[0]->type->size;
		return true;
	case N_CAST:
		if (!n->kid[0]->type->size || !constant(n->kid[0], &a))
			return false;
		*v = wrap(a, n->type);
		return true;
	case N_UNARY:
		if (!constant(n->kid[0], &a))
			return false;
		a = *n->op == '-' ? -a : *n->op == '~' ? ~a : *n->op == '!' ? !a : a;
		*v = wrap(a, n->type);
		return true;
	case N_COND:
		if (!n->type->size || !constant(n->kid[0], &a) || !constant(n->kid[a ? 1 : 2], &b))
			return false;
		*v = wrap(b, n->type);
		return true;
	case N_BINARY:
		if (!n->kid[0]->type->size || !constant(n->kid[0], &a))
			return false;
		if ((!strcmp(n->op, "&&") && !a) || (!strcmp(n->op, "||") && a)) {
			*v = a != 0;
			return true;
		}
		if (!n->kid[1]->type->size || !constant(n->kid[1], &b))
			return false;
		if (!strcmp(n->op, "<<") || !strcmp(n->op, ">>")) {
			*v = eval_binary(n->op, a, b, n->type, &zero);
		} else {
			const struct ty *t = usual(n->kid[0]->type, n->kid[1]->type);

			*v = eval_binary(n->op, wrap(a, t), wrap(b, t), t, &zero);
		}
		*v = wrap(*v, n->type);
		return !zero;
	default:
		return false;
	}
}

uint64_t eval_binary(const char *op, uint64_t a, uint64_t b, const struct ty *t, bool *zero)
{
	bool s = t->is_signed;
	unsigned bits = 8 * t->size;

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
			return b >= bits ? 0 : a << b;
		if (op[1])
			return s ? (int64_t)a <= (int64_t)b : a <= b;
		return s ? (int64_t)a < (int64_t)b : a < b;
	default:
		if (op[1] == '>') {
			if (b >= bits)
				b = 63;
			else if (!s)
				return a >> b;
			return s ? (uint64_t)((int64_t)a >> b) : 0;
		}
		if (op[1])
			return s ? (int64_t)a >= (int64_t)b : a >= b;
		return s ? (int64_t)a > (int64_t)b : a > b;
	}
}

/* ---- walking ---- */

static void walk(struct node **place, const struct ty *want, node_fn fn, void *arg)
{
	struct node *n = *place;
	const struct ty *str = &types[T_STRING], *num = &types[T_INT];

	fn(arg, place, want);
	n = *place;
	for (unsigned i = 0; i < n->nkids; i++) {
		const struct ty *w = n->kid[i]->type;

		/* the target of an assignment must stay a variable */
		if ((n->kind == N_ASSIGN || n->kind == N_PREFIX || n->kind == N_POSTFIX) &&
			i == 0) {
			for (unsigned k = 0; k < n->kid[0]->nkids; k++)
				walk(&n->kid[0]->kid[k], n->kid[0]->var->keys[k]->size ? num : str,
					fn, arg);
			continue;
		}
		if (n->kind == N_SIZEOF && n->kid[0]->kind == N_STR)
			continue;
		walk(&n->kid[i], w->size ? num : str, fn, arg);
	}
}

void program_walk(struct program *p, node_fn fn, void *arg)
{
	for (unsigned c = 0; c < p->nclauses; c++) {
		struct clause *cl = &p->clause[c];

		if (cl->dead)
			continue;
		if (cl->predicate)
			walk(&cl->predicate, &types[T_INT], fn, arg);
		for (unsigned i = 0; i < cl->nstmts; i++) {
			struct stmt *s = &cl->stmt[i];

			if (s->dead)
				continue;
			for (unsigned k = 0; s->agg && k < s->agg->nkeys; k++)
				walk(&s->key[k], s->key[k]->type, fn, arg);
			for (unsigned k = 0; k < s->n; k++)
				walk(&s->arg[k], s->arg[k]->type, fn, arg);
		}
	}
}

static void mark(void *arg, struct node **place, const struct ty *want)
{
	struct node *n = *place;
	bool *ok = arg;
	uint64_t v;

	if (n->kind == N_VAR)
		n->var->used = true;
	if (n->nkids && n->kid[0]->kind == N_VAR)
		n->kid[0]->var->used = true;
	if ((n->kind == N_BINARY || n->kind == N_ASSIGN) && (*n->op == '/' || *n->op == '%') &&
		constant(n->kid[1], &v) && !v)
		*ok = false; /* an error of its own */
}

static void type_all(void *arg, struct node **place, const struct ty *want)
{
	retype(*place);
}

bool program_mark(struct program *p)
{
	bool ok = true;
	int number = 0;

	for (unsigned i = 0; i < p->nvars; i++)
		p->var[i].used = false;
	for (unsigned i = 0; i < p->naggs; i++)
		p->agg[i].used = false;
	program_walk(p, type_all, NULL);
	program_walk(p, mark, &ok);
	for (unsigned c = 0; c < p->nclauses; c++)
		for (unsigned i = 0; i < p->clause[c].nstmts; i++) {
			struct stmt *s = &p->clause[c].stmt[i];

			if (p->clause[c].dead || s->dead || !s->agg)
				continue;
			s->agg->used = true;
			for (unsigned k = 0; k < s->agg->nkeys && !s->agg->declared; k++)
				if (s->agg->keys[k]->size &&
					(s->key[k]->kind != N_CAST ||
						s->key[k]->type != s->agg->keys[k]))
					ok = false;
		}
	for (unsigned i = 0; i < p->nvars; i++)
		number |= p->var[i].used && p->var[i].implicit;
	for (unsigned i = 0; i < p->naggs; i++)
		number |= p->agg[i].used && p->agg[i].declared;
	for (unsigned c = 0; c < p->nclauses; c++)
		if (!p->clause[c].dead)
			p->clause[c].number = number++;
	return ok;
}
