// SPDX-License-Identifier: Apache-2.0
/* Generates expressions. */
#include <string.h>

#include "gen.h"

struct node *value(struct gen *g, const struct ty *t, unsigned depth)
{
	struct node *n = NULL;

	if (is_int(t))
		return integer(g, depth);
	if (is_str(t))
		return string(g, depth);
	if (t->kind == K_REC)
		n = record(g, t, depth);
	if (t->kind == K_PTR)
		n = pointer_like(g, t);
	return n;
}

struct node *cast_to(struct node *n, const struct ty *t)
{
	n = node(N_CAST, NULL, n, NULL);
	n->type = t;
	return n;
}

static struct node *conditional(struct node *c, struct node *a, struct node *b)
{
	struct node *n = node(N_COND, NULL, c, a);

	n->kid[n->nkids++] = b;
	return n;
}

/* ---- objects ---- */

/* True if a pointer was set before, in this clause; now and then it need not be. */
bool usable(const struct gen *g, const struct var *v)
{
	return g->live >> (v->id & 31) & 1;
}

struct node *variable(struct gen *g, struct var *v, unsigned depth)
{
	struct node *n = node(N_VAR, NULL, NULL, NULL);

	n->var = v;
	n->type = v->type;
	n->nkids = v->nkeys;
	g->nest++;
	for (unsigned i = 0; i < v->nkeys; i++) {
		/* few different keys, so that they meet again */
		if (v->keys[i]->kind == K_REC) {
			n->kid[i] = g->nest > 2 ? NULL : record(g, v->keys[i], depth / 2);
			if (!n->kid[i]) {
				g->nest--;
				return NULL;
			}
		} else if (g->nest > 2 || chance(g, 60)) {
			n->kid[i] =
				is_int(v->keys[i]) ? small(1) : leaf(N_STR, "k", &types[T_STRING]);
		} else {
			n->kid[i] = value(g, v->keys[i], depth);
		}
	}
	g->nest--;
	return n;
}

struct node *array_index(struct gen *g, unsigned n, unsigned depth)
{
	struct node *i;
	uint64_t v;

	if (chance(g, 50))
		return small(below(g, n));
	i = integer(g, depth ? depth - 1 : 0);
	if (chance(g, 70))
		i = node(N_BINARY, "%", cast_to(i, &types[T_UCHAR]), small(n));
	else
		i = cast_to(i, &types[chance(g, 50) ? T_SHORT : T_INT]);
	retype(i);
	return constant(i, &v) && v >= n ? small(below(g, n)) : i;
}

static struct node *member(struct gen *g, struct node *n, enum node_kind kind)
{
	const struct ty *t = kind == N_ARROW ? n->type->of : n->type;
	const struct field *f = &t->field[below(g, t->nfields)];

	n = node(kind, NULL, n, NULL);
	n->field = f;
	n->type = f->type;
	return n;
}

/* Makes the target of a pointer, or an object near it. */
static struct node *pointee(struct gen *g, struct node *p, unsigned depth)
{
	const struct ty *of = p->type->of;

	if (of->kind == K_REC && chance(g, 40))
		return member(g, p, N_ARROW);
	if (chance(g, 40))
		p = node(N_DEREF, NULL, p, NULL);
	else
		p = node(N_INDEX, NULL, p, chance(g, 90) ? small(below(g, 3)) : integer(g, depth));
	p->type = of;
	return p;
}

/* Reads a translated member of the object that variable N points to. */
static struct node *member_of_object(struct gen *g, struct node *n)
{
	const struct def *d = n->var->def;

	n = node(N_ARROW, NULL, n, NULL);
	n->field = d->member[below(g, d->nmembers)];
	n->type = n->field->type;
	return n;
}

/* Down from N to something of KIND; NULL when there is nothing. */
static struct node *descend(
	struct gen *g, struct node *n, enum kind kind, const struct ty *type, unsigned depth)
{
	for (;;) {
		const struct ty *t = n->type;

		if (t->kind == kind && (!type || t == type))
			return n;
		if (kind == K_PTR)
			return NULL;
		if (t->kind == K_REC) {
			n = member(g, n, N_FIELD);
		} else if (t->kind == K_ARR) {
			n = node(N_INDEX, NULL, n, array_index(g, t->n, depth));
			n->type = t->of;
		} else if (t->kind == K_OBJ && kind == K_INT && !type && !g->writing) {
			return member_of_object(g, n);
		} else if (t->kind == K_PTR && n->kind == N_VAR && (t->scratch || !g->writing) &&
			(usable(g, n->var) || (t->scratch && chance(g, 4)))) {
			if (on(g, "ptrcast") && t->scratch && kind == K_INT && !type &&
				chance(g, 10))
				n = cast_to(n, pointer_to(int_type(g), true));
			n = pointee(g, n, depth);
		} else {
			return NULL;
		}
	}
}

static bool may_use(const struct gen *g, const struct var *v)
{
	return !v->counter && !(v->scope == THIS && (g->on == ON_ERROR || g->in_def));
}

/* Most faults are of this kind: a string or struct that was never assigned. */
static bool likely_unset(struct gen *g, const struct var *v)
{
	return !g->writing && (v->nkeys || v->scope == SELF || v->type->kind == K_OBJ) &&
		!is_int(v->type) && !(g->assigned >> v->id & 1) && chance(g, 80);
}

struct node *lvalue(struct gen *g, enum kind kind, const struct ty *type, unsigned depth)
{
	struct node *n;

	if (g->in_expr)
		return NULL;
	for (unsigned tries = 0; tries < 12; tries++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (!may_use(g, v) || likely_unset(g, v))
			continue;
		n = variable(g, v, depth);
		n = n ? descend(g, n, kind, type, depth) : NULL;
		if (n)
			return n;
	}
	return NULL;
}

struct node *target(struct gen *g, enum kind kind, const struct ty *type, unsigned depth)
{
	bool writing = g->writing; /* an index in a target may have one of its own */
	struct node *n;

	g->writing = true;
	n = lvalue(g, kind, type, depth);
	g->writing = writing;
	return n;
}

struct node *record(struct gen *g, const struct ty *t, unsigned depth)
{
	struct node *a = lvalue(g, K_REC, t, depth), *b;

	if (!a || !depth || !on(g, "recexpr"))
		return a;
	if (chance(g, 10) && (b = record(g, t, depth - 1)))
		return conditional(integer(g, depth - 1), a, b);
	if (!g->pure && chance(g, 8) && (b = target(g, K_REC, t, depth - 1)))
		return node(N_ASSIGN, "=", b, a);
	return a;
}

struct node *pointer(struct gen *g, const struct var *v, unsigned depth)
{
	struct node *n = variable(g, (struct var *)v, 0);

	switch (below(g, 6)) {
	case 0:
		return node(N_BINARY, "+", n, small(below(g, 3)));
	case 1:
		n = node(N_ADDR, NULL, node(N_INDEX, NULL, n, small(below(g, 3))), NULL);
		n->kid[0]->type = v->type->of;
		n->type = v->type;
		return n;
	case 2:
		return node(N_BINARY, "-", node(N_BINARY, "+", n, small(2)), small(below(g, 2)));
	default:
		return n;
	}
}

struct node *pointer_like(struct gen *g, const struct ty *t)
{
	for (unsigned tries = 0; tries < 12 && !g->in_expr; tries++) {
		const struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->type->kind == K_PTR && v->type->of == t->of &&
			v->type->scratch == t->scratch && may_use(g, v) && usable(g, v))
			return pointer(g, v, 1);
	}
	return NULL;
}

/* A question about pointers. */
static struct node *pointers(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">=", "-"};

	for (unsigned tries = 0; tries < 8 && !g->in_expr; tries++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->type->kind == K_OBJ && may_use(g, v))
			return node(N_UNARY, "!", variable(g, v, depth), NULL);

		if (v->type->kind != K_PTR || !may_use(g, v) || !usable(g, v))
			continue;
		if (chance(g, 20))
			return node(N_BINARY, chance(g, 50) ? "==" : "!=", pointer(g, v, depth),
				small(0));
		if (chance(g, 20))
			return node(N_UNARY, "!", pointer(g, v, depth), NULL);
		if (chance(g, 20))
			return node(N_BINARY, chance(g, 50) ? "&&" : "^^", pointer(g, v, depth),
				integer(g, depth));
		return node(N_BINARY, PICK(g, ops), pointer(g, v, depth), pointer(g, v, depth));
	}
	return NULL;
}

/* ---- integers ---- */

struct node *divisor_checked(struct node *n)
{
	uint64_t v;

	retype(n);
	if (constant(n->kid[1], &v) && !v) {
		n->kid[1] = node(N_BINARY, "|", n->kid[1], small(1));
		retype(n);
	}
	return n;
}

static struct node *int_binary(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {"+", "+", "-", "-", "*", "*", "/", "%", "&", "|", "^",
		"<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^"};
	const char *op = PICK(g, ops);
	struct node *n;

	if (g->in_expr && (*op == '/' || *op == '%'))
		op = "-";
	n = node(N_BINARY, op, integer(g, depth), integer(g, depth));
	return *op == '/' || *op == '%' ? divisor_checked(n) : n;
}

static struct node *string_comparison(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {"==", "==", "!=", "<", "<=", ">", ">="};
	struct node *a = string(g, depth), *b;
	bool pure = g->pure;

	if (a->kind == N_VAR && !on(g, "strorder"))
		g->pure = true;
	b = chance(g, 50) ? literal(g) : string(g, depth);
	g->pure = pure;
	if (chance(g, 12) && a->kind != N_STR)
		b = node(N_NULL, NULL, NULL, NULL);
	return chance(g, 80) || !on(g, "strorder") ? node(N_BINARY, PICK(g, ops), a, b)
						   : node(N_BINARY, PICK(g, ops), b, a);
}

/* Makes an expression without visible effects or faults, because its order is not defined. */
void make_plain(struct gen *g, struct node *n)
{
	if (n->kind == N_VAR)
		for (unsigned i = 0; i < n->nkids; i++)
			if (n->kid[i]->kind != N_INT && n->kid[i]->kind != N_STR &&
				n->kid[i]->type->kind != K_REC)
				n->kid[i] = is_int(n->var->keys[i]) ? constant_int(g) : literal(g);
	if (n->kind != N_VAR)
		make_plain(g, n->kid[0]);
}

/* A character of a string that may be assigned. */
struct node *char_target(struct gen *g, unsigned depth)
{
	struct node *s = target(g, K_STR, NULL, depth), *n;

	/* most faults would be of this kind */
	if (!s ||
		(s->kind == N_VAR && (s->nkids || s->var->scope == SELF) && chance(g, 90) &&
			!(g->assigned >> s->var->id & 1)))
		return NULL;
	if (chance(g, 15))
		n = node(N_DEREF, NULL, s, NULL);
	else
		n = node(N_INDEX, NULL, s, small(chance(g, 90) ? below(g, 3) : below(g, 300)));
	n->type = &types[T_CHAR];
	return n;
}

struct node *int_assignment(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
	bool step = chance(g, 40), plain = chance(g, 50);
	bool pure = g->pure;
	struct node *v, *n;
	const char *op;

	if (!step && !plain)
		g->pure = true;
	v = on(g, "strstore") && chance(g, 6) ? char_target(g, depth)
					      : target(g, K_INT, NULL, depth);
	g->pure = pure;
	if (!v)
		return constant_int(g);
	if (step) {
		static const char *const steps[] = {"++", "--"};

		return node(chance(g, 50) ? N_PREFIX : N_POSTFIX, PICK(g, steps), v, NULL);
	}
	if (plain)
		return node(N_ASSIGN, "=", v, integer(g, depth));
	/* which side comes first is not told: no effects */
	op = PICK(g, ops);
	retype(v);
	make_plain(g, v);
	g->pure = true;
	n = node(N_ASSIGN, op, v, integer(g, depth));
	g->pure = pure;
	return *op == '/' || *op == '%' ? divisor_checked(n) : n;
}

static struct node *local(struct gen *g, enum kind kind)
{
	for (unsigned tries = 0; g->nlocals && tries < 4; tries++) {
		struct local *l = g->local[below(g, g->nlocals)];

		if (l->type->kind == kind) {
			struct node *n = leaf(N_LOCAL, NULL, l->type);

			n->local = l;
			return n;
		}
	}
	return NULL;
}

static struct node *int_leaf(struct gen *g, unsigned depth)
{
	struct node *n = NULL;

	if (g->on == ON_NEVER && chance(g, 30))
		return raw_int(g);
	if (!g->in_expr && chance(g, 10))
		return known_int(g);
	if (g->nlocals && chance(g, 60) && (n = local(g, K_INT)))
		return n;
	if (g->nlocals && chance(g, 30) && (n = local(g, K_REC)) &&
		(n = descend(g, n, K_INT, NULL, 0)))
		return n;
	if (g->nlocals && chance(g, 30) && (n = local(g, K_PTR)) &&
		(n = descend(g, pointee(g, n, 0), K_INT, NULL, 0)))
		return n;
	n = NULL;
	if (chance(g, 65))
		n = lvalue(g, K_INT, NULL, depth / 2);
	if (!n && g->in_loop && chance(g, 50))
		for (unsigned i = 0; i < g->p->nvars; i++)
			if (g->counters >> i & 1 && chance(g, 60))
				return variable(g, &g->p->var[i], 0);
	return n ? n : constant_int(g);
}

static struct node *call1(const char *f, struct node *a)
{
	struct node *n = node(N_CALL, NULL, a, NULL);

	n->text = f;
	retype(n);
	return n;
}

static struct node *call2(const char *f, struct node *a, struct node *b)
{
	struct node *n = node(N_CALL, NULL, a, b);

	n->text = f;
	retype(n);
	return n;
}

static struct node *char_of(struct gen *g, unsigned depth)
{
	struct node *s = string(g, depth), *n;

	if (chance(g, 25))
		n = node(N_DEREF, NULL, s, NULL);
	else
		n = node(N_INDEX, NULL, s, small(below(g, 3)));
	n->type = &types[T_CHAR];
	return n;
}

static struct node *int_call(struct gen *g, unsigned depth)
{
	static const char *const swaps[] = {"htons", "ntohl", "htonll"};
	static const int bases[] = {10, 10, 2, 8, 16, 36, 7};
	struct node *n;

	if (!on(g, "strfn"))
		return call1("strlen", string(g, depth));
	switch (below(g, 6)) {
	case 0:
	case 1:
		n = call2(chance(g, 50) ? "index" : "rindex", string(g, depth), string(g, depth));
		if (chance(g, 40))
			n->kid[n->nkids++] = chance(g, 50) ? small(below(g, 5)) : integer(g, depth);
		return n;
	case 2:
		n = call1("strtoll", string(g, depth));
		if (chance(g, 40))
			n->kid[n->nkids++] = small((uint64_t)PICK(g, bases));
		return n;
	case 3:
		return call1(PICK(g, swaps), integer(g, depth));
	case 4:
		return on(g, "char") ? char_of(g, depth) : int_leaf(g, depth);
	default:
		return call1("strlen", string(g, depth));
	}
}

static struct node *size_of(struct gen *g, unsigned depth)
{
	bool pure = g->pure;
	struct node *n;

	g->pure = true;
	n = NULL;
	if (chance(g, 20) && g->p->nrecs)
		n = record(g, &g->p->rec[below(g, g->p->nrecs)], 0);
	if (!n)
		n = chance(g, 70) ? integer(g, depth) : literal(g);
	g->pure = pure;
	retype(n);
	if (n->kind == N_COND || ((n->kind == N_FIELD || n->kind == N_ARROW) && n->field->bits) ||
		(is_str(n->type) && n->kind != N_STR))
		n = literal(g);
	return node(N_SIZEOF, NULL, n, NULL);
}

/* Makes expressions that C does not have. */
static struct node *special(struct gen *g, unsigned depth)
{
	struct node *n = NULL;

	switch (below(g, 4)) {
	case 0:
		n = use_def(g, D_INLINE, &types[T_INT], depth);
		break;
	case 1:
		n = use_def(g, D_FUNC, &types[T_INT], depth);
		break;
	case 2:
		n = pointers(g, depth);
		break;
	default:
		n = member_of_translation(g, K_INT, depth);
		break;
	}
	return n ? n : int_leaf(g, depth);
}

struct node *integer(struct gen *g, unsigned depth)
{
	static const char *const unary[] = {"-", "-", "~", "!", "+"};

	if (!depth || chance(g, 15))
		return int_leaf(g, depth);
	depth--;
	switch (below(g, 18)) {
	case 0:
	case 1:
		return node(N_UNARY, PICK(g, unary), integer(g, depth), NULL);
	case 2:
	case 3:
		return cast_to(integer(g, depth), int_type(g));
	case 4:
		return conditional(integer(g, depth), integer(g, depth), integer(g, depth));
	case 5:
		return string_comparison(g, depth);
	case 6:
		return int_call(g, depth);
	case 7:
		return g->pure || g->in_expr ? int_leaf(g, depth) : int_assignment(g, depth);
	case 8:
		if (chance(g, 30))
			return size_of(g, depth);
		if (chance(g, 30))
			return node(N_COMMA, NULL, integer(g, depth), integer(g, depth));
		/* fallthrough */
	case 9:
		return special(g, depth);
	default:
		return int_binary(g, depth);
	}
}

/* ---- strings ---- */

/* An array of characters, or a pointer to some. */
static struct node *char_array(struct gen *g)
{
	for (unsigned i = 0; i < g->p->nvars; i++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->type->kind == K_ARR && v->type->of == &types[T_CHAR] && may_use(g, v))
			return variable(g, v, 0);
	}
	return NULL;
}

static struct node *string_leaf(struct gen *g, unsigned depth)
{
	static const char *const names[] = {"probename", "probeprov", "probefunc"};
	struct node *n = NULL;

	if (g->on == ON_NEVER && chance(g, 40))
		return raw_string(g);
	if (!g->in_expr && chance(g, 15))
		return leaf(N_KNOWN, PICK(g, names), &types[T_STRING]);
	if (g->nlocals && chance(g, 60) && (n = local(g, K_STR)))
		return n;
	if (chance(g, 50))
		n = lvalue(g, K_STR, NULL, depth / 2);
	if (!n && !g->in_expr && on(g, "chararray") && chance(g, 20) && (n = char_array(g)))
		n = call1("stringof", n);
	return n ? n : literal(g);
}

static struct node *substr(struct gen *g, unsigned depth)
{
	struct node *n = call2("substr", string(g, depth), integer(g, depth));

	if (chance(g, 60) && !g->in_expr) /* small positions are the interesting ones */
		n->kid[1] = node(N_BINARY, "%", n->kid[1], small(9));
	if (chance(g, 60))
		n->kid[n->nkids++] = chance(g, 50) ? constant_int(g) : integer(g, depth);
	return n;
}

static struct node *rest(struct gen *g, unsigned depth)
{
	static const unsigned types_of[] = {T_UCHAR, T_USHORT, T_UINT};
	struct node *s = string(g, depth), *n = small(below(g, 9));

	if (chance(g, 25))
		n = cast_to(integer(g, depth), &types[PICK(g, types_of)]);
	else if (chance(g, 40))
		n = node(N_BINARY, "%", cast_to(integer(g, depth), &types[T_UCHAR]), small(9));
	return chance(g, 75) ? node(N_BINARY, "+", s, n) : node(N_BINARY, "+", n, s);
}

static struct node *string_call(struct gen *g, unsigned depth)
{
	static const char *const of1[] = {"toupper", "tolower", "cleanpath", "stringof"};
	static const int bases[] = {10, 2, 8, 16, 36};
	static const char *const delims[] = {"/", " ", ",;", "aeiou", "", "b"};
	struct node *n;

	if (!on(g, "strfn"))
		return literal(g);
	switch (below(g, 7)) {
	case 0:
		return call2("strstr", string(g, depth), string(g, depth));
	case 1:
		return call2(chance(g, 50) ? "strchr" : "strrchr", string(g, depth),
			chance(g, 70) ? small("abc/. e"[below(g, 7)]) : integer(g, depth));
	case 2:
		n = call2("lltostr", integer(g, depth), small((uint64_t)PICK(g, bases)));
		return n;
	case 3:
		if (g->pure || g->in_expr || g->on == ON_ERROR || g->in_def || !on(g, "strtok"))
			return string_leaf(g, depth);
		n = leaf(N_STR, PICK(g, delims), &types[T_STRING]);
		return chance(g, 50) ? call2("strtok", string(g, depth), n) : call1("strtok", n);
	default:
		return call1(PICK(g, of1), string(g, depth));
	}
}

struct node *string(struct gen *g, unsigned depth)
{
	struct node *n;

	if (!depth || chance(g, 30))
		return string_leaf(g, depth);
	depth--;
	switch (below(g, 15)) {
	case 0:
	case 1:
		return call2("strjoin", string(g, depth), string(g, depth));
	case 2:
	case 3:
		return substr(g, depth);
	case 4:
		return call1("basename", string(g, depth));
	case 5:
		return call1("dirname", string(g, depth));
	case 6:
		return call1("lltostr", integer(g, depth));
	case 7:
		n = string(g, depth);
		if (on(g, "null") && chance(g, 12))
			return conditional(integer(g, depth), n, node(N_NULL, NULL, NULL, NULL));
		return conditional(integer(g, depth), n, string(g, depth));
	case 8:
		if (!g->pure && !g->in_expr && chance(g, 40) && (n = target(g, K_STR, NULL, depth)))
			return node(N_ASSIGN, "=", n, string(g, depth));
		/* fallthrough */
	case 9:
		n = chance(g, 30)
			? member_of_translation(g, K_STR, depth)
			: use_def(g, chance(g, 50) ? D_INLINE : D_FUNC, &types[T_STRING], depth);
		return n ? n : string_leaf(g, depth);
	case 10:
	case 11:
		return string_call(g, depth);
	case 12:
	case 13:
		return on(g, "rest") ? rest(g, depth) : string_leaf(g, depth);
	default:
		return string_leaf(g, depth);
	}
}
