// SPDX-License-Identifier: Apache-2.0
/* Generates statements. */
#include <string.h>

#include "gen.h"

#define ROOM 48

struct stmt *add(struct gen *g, struct block *b, enum stmt_kind kind)
{
	struct stmt *s;

	if (!b->stmt)
		b->stmt = arena(ROOM * sizeof(*b->stmt));
	s = &b->stmt[b->n < ROOM - 1 ? b->n++ : b->n];
	memset(s, 0, sizeof(*s));
	s->kind = kind;
	s->uid = g->p->nstmts++;
	return s;
}

static void add_expr(struct gen *g, struct block *b, struct node *n)
{
	struct stmt *s;

	if (!n)
		return;
	s = add(g, b, S_EXPR);
	s->arg[s->n++] = n;
}

/* ---- printing ---- */

static void make_printf(struct gen *g, struct block *b)
{
	static const char *const ints[] = {
		"%d", "%d", "%d", "%u", "%x", "%X", "%o", "%i", "%5d", "%-6d", "%08x", "%+d"};
	static const char *const strings[] = {"%s", "%s", "%s", "%10s", "%-10s", "%.3s"};
	struct stmt *s = add(g, b, S_PRINTF);
	unsigned n = 1 + below(g, 4);

	while (s->n < n) {
		bool str = chance(g, 35);

		s->arg[s->n] = str ? string(g, below(g, 4)) : integer(g, below(g, 5));
		s->conv[s->n++] = str ? PICK(g, strings) : PICK(g, ints);
	}
}

/* print() of anything. */
static void make_show(struct gen *g, struct block *b)
{
	struct node *n = NULL;
	struct stmt *s;

	if (chance(g, 50))
		n = lvalue(g, K_REC, NULL, 1);
	else if (chance(g, 30))
		n = lvalue(g, K_ARR, NULL, 1);
	if (!n)
		n = chance(g, 30) ? string(g, 1) : integer(g, 1);
	s = add(g, b, S_SHOW);
	s->arg[s->n++] = n;
}

static bool make_tracemem(struct gen *g, struct block *b)
{
	for (unsigned i = 0; i < g->p->nvars; i++) {
		const struct var *v = &g->p->var[i];
		struct stmt *s;

		if (v->type->kind != K_PTR || !usable(g, v) || chance(g, 50) ||
			(v->scope == THIS && g->in_def))
			continue;
		s = add(g, b, S_TRACEMEM);
		s->arg[s->n++] = pointer(g, v, 1);
		s->arg[s->n++] =
			small(1 + below(g, v->type->of->size < 20 ? v->type->of->size : 20));
		return true;
	}
	return false;
}

static void make_trace(struct gen *g, struct block *b)
{
	struct node *n = NULL;
	struct stmt *s;

	if (on(g, "show") && chance(g, 12)) {
		make_show(g, b);
		return;
	}
	if (on(g, "tracemem") && chance(g, 25) && make_tracemem(g, b))
		return;

	if (on(g, "rectrace") && chance(g, 25))
		n = lvalue(g, K_REC, NULL, 1);
	if (!n)
		n = chance(g, 30) ? string(g, below(g, 4)) : integer(g, below(g, 5));
	s = add(g, b, S_TRACE);
	s->arg[s->n++] = n;
}

/* ---- aggregations ---- */

static void make_agg(struct gen *g, struct block *b)
{
	struct agg *a = &g->p->agg[below(g, g->p->naggs)];
	struct node *key[MAX_KEYS] = {NULL};
	struct stmt *s;

	for (unsigned i = 0; i < a->nkeys; i++) {
		key[i] = chance(g, 40) && is_str(a->keys[i]) ? literal(g)
							     : value(g, a->keys[i], below(g, 3));
		if (!key[i])
			return;
		/* the first use makes the signature */
		retype(key[i]);
		if (!a->declared && is_str(a->keys[i]) && key[i]->type->size)
			key[i] = literal(g);
		if (!a->declared && is_int(a->keys[i]))
			key[i] = cast_to(key[i], a->keys[i]);
	}
	s = add(g, b, S_AGG);
	s->agg = a;
	memcpy(s->key, key, sizeof(key));
	if (a->func == COUNT)
		return;
	s->arg[s->n++] = integer(g, below(g, 4));
	if (a->func == STDDEV || chance(g, 30)) /* keeps the sum of squares in 128 bits */
		s->arg[0] = cast_to(s->arg[0], &types[chance(g, 50) ? T_INT : T_SHORT]);
	if ((a->func == LQUANTIZE || a->func == LLQUANTIZE) && chance(g, 70))
		s->arg[0] = divisor_checked(node(N_BINARY, "%", s->arg[0], constant_int(g)));
	if (a->func == QUANTIZE && chance(g, 30))
		s->arg[s->n++] = integer(g, 1);
	if (a->func == LLQUANTIZE && chance(g, 20))
		s->arg[s->n++] = integer(g, 1);
}

/* ---- assignments ---- */

static void assign_string(struct gen *g, struct block *b)
{
	struct node *v = target(g, K_STR, NULL, 1);

	if (!v)
		return;
	if (v->kind == N_VAR)
		g->assigned |= 1ull << v->var->id;
	if (on(g, "null") && v->kind == N_VAR && chance(g, 8))
		add_expr(g, b, node(N_ASSIGN, "=", v, node(N_NULL, NULL, NULL, NULL)));
	else
		add_expr(g, b, node(N_ASSIGN, "=", v, string(g, below(g, 4))));
}

/* True if a clause, or a function called as a statement, is being made. */
static bool may_act(const struct gen *g)
{
	return !g->in_def || g->in_void;
}

/* Store into a string, mostly where it has a character. */
static void assign_character(struct gen *g, struct block *b)
{
	struct node *v = char_target(g, 1), *whole, *length;
	struct stmt *s;

	if (!v)
		return;
	retype(v);
	if (chance(g, 85)) {
		make_plain(g, v);
		if (chance(g, 40))
			add_expr(g, b, node(N_ASSIGN, "=", v->kid[0], literal(g)));
		length = node(N_CALL, NULL, v->kid[0], NULL);
		length->text = "strlen";
		s = add(g, b, S_IF);
		s->arg[s->n++] = node(N_BINARY, ">", length, v->nkids > 1 ? v->kid[1] : small(0));
		b = &s->body;
	}
	whole = v->kid[0];
	if (chance(g, 30))
		v = node(
			chance(g, 50) ? N_PREFIX : N_POSTFIX, chance(g, 50) ? "++" : "--", v, NULL);
	else
		v = node(N_ASSIGN, "=", v,
			chance(g, 50) ? small(' ' + below(g, 90)) : integer(g, 2));
	add_expr(g, b, v);
	if (may_act(g) && chance(g, 60)) {
		s = add(g, b, S_PRINTF);
		s->arg[s->n] = whole;
		s->conv[s->n++] = "%s";
	}
}

static void assign_record(struct gen *g, struct block *b)
{
	struct node *v, *e = NULL;
	const struct ty *t;

	if (!g->p->nrecs)
		return;
	t = &g->p->rec[below(g, g->p->nrecs)];
	v = target(g, K_REC, t, 1);
	if (!v)
		return;
	if (chance(g, 30) && on(g, "xlateall"))
		e = translation(g, t, 2);
	if (!e)
		e = record(g, t, 2);
	if (!e)
		return;
	if (v->kind == N_VAR)
		g->assigned |= 1ull << v->var->id;
	add_expr(g, b, node(N_ASSIGN, "=", v, e));
}

/* Assign a struct, or a pointer to a translated one. */
static void assign_object(struct gen *g, struct block *b)
{
	struct node *n = chance(g, 50) ? object_assignment(g) : NULL;

	if (n)
		add_expr(g, b, n);
	else
		assign_record(g, b);
}

static void make_delete(struct gen *g, struct block *b)
{
	for (unsigned tries = 0; tries < 8; tries++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];
		struct node *n;
		struct stmt *s;

		if (v->counter || v->type->kind == K_PTR || v->type->kind == K_OBJ ||
			(!v->nkeys && v->scope != SELF))
			continue;
		n = variable(g, v, 1);
		if (!n)
			continue;
		s = add(g, b, S_DELETE);
		s->arg[s->n++] = n;
		return;
	}
}

/* ---- pointers ---- */

static struct node *count_of(struct gen *g, const struct ty *t, unsigned n)
{
	struct node *size = small(n * t->size), *more;
	uint64_t v;

	/* not known to the compiler, which refuses too many */
	if (chance(g, 20) || n * t->size > g->p->scratchsize)
		return node(N_BINARY, "+", size, leaf(N_KNOWN, "errno", &types[T_INT]));
	if (chance(g, 4)) {
		more = cast_to(integer(g, 1), &types[T_UCHAR]);
		retype(more);
		if (!constant(more, &v))
			return node(N_BINARY, "+", small(g->p->scratchsize), more);
	}
	return size;
}

static struct node *element(struct gen *g, const struct var *v, unsigned i)
{
	struct node *n = node(N_INDEX, NULL, variable(g, (struct var *)v, 0), small(i));

	n->type = v->type->of;
	return n;
}

static void allocate(struct gen *g, struct block *b, const struct var *v)
{
	const struct ty *of = v->type->of;
	unsigned n = 1 + below(g, 4);
	struct node *call = node(N_CALL, NULL, count_of(g, of, n), NULL);

	call->text = "alloca";
	call->type = v->type;
	add_expr(g, b, node(N_ASSIGN, "=", variable(g, (struct var *)v, 0), call));
	g->live |= 1u << (v->id & 31);
	for (unsigned i = 0; i < n; i++) {
		struct node *e = value(g, of, 2);

		if (e)
			add_expr(g, b, node(N_ASSIGN, "=", element(g, v, i), e));
	}
}

/* V = the address of an element of an array. */
static void point(struct gen *g, struct block *b, const struct var *v)
{
	for (unsigned tries = 0; tries < 10; tries++) {
		struct var *a = &g->p->var[below(g, g->p->nvars)];
		struct node *n;

		if (a->type->kind != K_ARR || (a->scope == THIS && g->on == ON_ERROR))
			continue;
		n = variable(g, a, 0);
		while (n->type->kind == K_ARR) {
			const struct ty *t = n->type;

			n = node(N_INDEX, NULL, n, small(below(g, t->n - 1)));
			n->type = t->of;
		}
		if (n->type != v->type->of)
			continue;
		n = node(N_ADDR, NULL, n, NULL);
		n->type = v->type;
		add_expr(g, b, node(N_ASSIGN, "=", variable(g, (struct var *)v, 0), n));
		g->live |= 1u << (v->id & 31);
		return;
	}
}

static void move(struct gen *g, struct block *b, const struct var *v)
{
	static const char *const ops[] = {"+=", "-="}, *const steps[] = {"++", "--"};
	struct node *n = variable(g, (struct var *)v, 0);

	if (chance(g, 50))
		n = node(chance(g, 50) ? N_PREFIX : N_POSTFIX, PICK(g, steps), n, NULL);
	else if (chance(g, 50))
		n = node(N_ASSIGN, PICK(g, ops), n, small(below(g, 2)));
	else
		n = node(N_ASSIGN, "=", n, pointer(g, v, 1));
	add_expr(g, b, n);
}

static void make_bcopy(struct gen *g, struct block *b, const struct var *to)
{
	for (unsigned tries = 0; tries < 10; tries++) {
		struct var *from = &g->p->var[below(g, g->p->nvars)];
		unsigned size = from->type->size;
		struct stmt *s;

		if (from->scope == THIS && g->on == ON_ERROR)
			continue;
		if (from->type->kind == K_PTR && from->type->scratch && usable(g, from))
			size = 8;
		else if (from->type->kind != K_ARR)
			continue;
		if (size > 8 && chance(g, 60))
			size = 8;
		s = add(g, b, S_BCOPY);
		s->arg[s->n++] = variable(g, from, 0);
		s->arg[s->n++] = pointer(g, to, 1);
		s->arg[s->n++] = chance(g, 70) ? small(1 + below(g, size))
					       : cast_to(integer(g, 2), &types[T_CHAR]);
		return;
	}
}

static void make_pointer(struct gen *g, struct block *b)
{
	for (unsigned tries = 0; tries < 10 && !g->in_def && g->on != ON_ERROR; tries++) {
		const struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->type->kind != K_PTR)
			continue;
		if (usable(g, v) && v->type->scratch && on(g, "bcopy") && chance(g, 40))
			make_bcopy(g, b, v);
		else if (usable(g, v) && chance(g, 50))
			move(g, b, v);
		else if (v->type->scratch)
			allocate(g, b, v);
		else
			point(g, b, v);
		return;
	}
}

/* ---- control flow ---- */

static void make_if(struct gen *g, struct block *b, unsigned depth)
{
	struct stmt *s = add(g, b, S_IF);
	unsigned live = g->live;

	s->arg[s->n++] = integer(g, below(g, 4));
	s->braces = chance(g, 40);
	make_block(g, &s->body, 1 + below(g, 3), depth + 1);
	if (chance(g, 25) && depth < 4)
		make_if(g, &s->orelse, depth + 1);
	else if (chance(g, 50))
		make_block(g, &s->orelse, 1 + below(g, 3), depth + 1);
	g->live = live;
}

static struct var *counter(struct gen *g)
{
	for (unsigned i = 0; i < g->p->nvars; i++) {
		struct var *v = &g->p->var[i];

		if (v->counter && v->scope == THIS && !(g->counters >> i & 1)) {
			g->counters |= 1u << i;
			return v;
		}
	}
	return NULL;
}

static void loop_body(struct gen *g, struct block *b, unsigned depth)
{
	unsigned live = g->live;

	g->in_loop++;
	make_block(g, b, 1 + below(g, 3), depth + 1);
	g->in_loop--;
	g->live = live;
}

static void make_for(struct gen *g, struct block *b, unsigned depth)
{
	struct var *v = counter(g);
	struct stmt *s;
	bool down = chance(g, 25);

	if (!v)
		return;
	s = add(g, b, S_FOR);
	s->var = v;
	s->step = chance(g, 70) ? 1 : 1 + (int64_t)below(g, 3);
	s->lo = (int64_t)below(g, 5) - 2;
	s->hi = s->lo + (int64_t)below(g, 5) * s->step;
	s->op = down ? chance(g, 50) ? ">" : ">=" : chance(g, 70) ? "<" : "<=";
	if (down) {
		int64_t hi = s->hi;

		s->hi = s->lo;
		s->lo = hi;
		s->step = -s->step;
	}
	loop_body(g, &s->body, depth);
	g->counters &= ~(1u << v->id);
}

static void make_while(struct gen *g, struct block *b, unsigned depth)
{
	struct var *v = counter(g);
	struct node *n;
	struct stmt *s;

	if (!v)
		return;
	n = variable(g, v, 0);
	if (chance(g, 80))
		add_expr(g, b, node(N_ASSIGN, "=", n, small(below(g, 4))));
	s = add(g, b, S_WHILE);
	n = node(N_BINARY, "<", node(N_POSTFIX, "++", variable(g, v, 0), NULL),
		small(1 + below(g, 6)));
	if (g->p->loopbound <= 16 && chance(g, 30))
		n = integer(g, 2);
	else if (chance(g, 20))
		n = node(N_BINARY, "&&", n, integer(g, 2));
	s->arg[s->n++] = n;
	loop_body(g, &s->body, depth);
	g->counters &= ~(1u << v->id);
}

/* An update that does not care which round comes first. */
static void commutative(struct gen *g, struct block *b)
{
	static const char *const ops[] = {"+=", "^=", "|=", "&=", "-="};

	for (unsigned tries = 0; tries < 8; tries++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->counter || v->nkeys || v->scope != GLOBAL || !is_int(v->type))
			continue;
		/* its value is not read in the loop, and the next round has the same operator */
		add_expr(g, b, node(N_ASSIGN, ops[v->id % 5], variable(g, v, 0), NULL));
		b->stmt[b->n - 1].arg[0]->kid[b->stmt[b->n - 1].arg[0]->nkids++] = constant_int(g);
		return;
	}
}

/* Rounds come in any order: what they do must not show it. */
static void foreach_body(struct gen *g, struct stmt *s)
{
	struct node *e = node(N_VAR, NULL, NULL, NULL), *n;
	struct block *b = &s->body;
	struct stmt *p;

	e->var = s->var;
	e->type = s->var->type;
	for (unsigned i = 0; i < s->var->nkeys; i++) {
		e->kid[i] = leaf(N_LOCAL, NULL, s->local[i]->type);
		e->kid[i]->local = s->local[i];
	}
	e->nkids = s->var->nkeys;
	if (chance(g, 30))
		commutative(g, b);
	if (chance(g, 80)) {
		p = add(g, b, S_PRINTF);
		for (unsigned i = 0; i < e->nkids; i++)
			if (e->kid[i]->type->kind != K_REC) {
				p->arg[p->n] = e->kid[i];
				p->conv[p->n++] = is_int(e->kid[i]->type) ? "%d" : "%s";
			}
		if (e->type->kind != K_REC) {
			p->arg[p->n] = e;
			p->conv[p->n++] = is_int(e->type) ? "%x" : "%s";
		} else if (is_int(e->type->field[0].type)) {
			n = node(N_FIELD, NULL, e, NULL);
			n->field = &e->type->field[0];
			n->type = n->field->type;
			p->arg[p->n] = n;
			p->conv[p->n++] = "%d";
		}
		if (!p->n) {
			p->arg[p->n] = small(1);
			p->conv[p->n++] = "%d";
		}
	}
	if (chance(g, 30)) {
		g->pure = true;
		p = add(g, b, S_IF);
		p->arg[p->n++] = integer(g, 2);
		g->pure = false;
		p->body.n = 0;
		commutative(g, &p->body);
		if (!p->body.n)
			b->n--;
	}
	if (is_int(e->type) && chance(g, 30))
		add_expr(g, b, node(N_ASSIGN, "=", e, integer(g, 0)));
	else if (chance(g, 25) && on(g, "foreachdelete")) {
		p = add(g, b, S_DELETE);
		p->arg[p->n++] = e;
	}
	if (!b->n)
		commutative(g, b);
}

static void make_foreach(struct gen *g, struct block *b)
{
	static const char *const names[] = {"ka", "kb", "kc", "kd"};
	unsigned outer = g->nlocals;
	struct stmt *s;

	if (g->on > ON_END || g->in_def || g->in_loop || g->in_foreach || g->in_spec)
		return;
	for (unsigned i = 0; i < g->p->nvars; i++) {
		struct var *v = &g->p->var[i];

		if (!v->nkeys || v->scope != GLOBAL || v->type->kind == K_OBJ || chance(g, 40) ||
			g->nlocals + v->nkeys > MAX_LOCALS)
			continue;
		s = add(g, b, S_FOREACH);
		s->var = v;
		for (unsigned k = 0; k < v->nkeys; k++) {
			s->local[k] = arena(sizeof(*s->local[k]));
			snprintf(s->local[k]->name, sizeof(s->local[k]->name), "%s", names[k]);
			s->local[k]->type = v->keys[k];
			g->local[g->nlocals++] = s->local[k];
		}
		g->in_foreach++;
		g->in_expr = true; /* no variables, which may change from round to round */
		foreach_body(g, s);
		g->in_expr = false;
		g->in_foreach--;
		g->nlocals = outer;
		if (!s->body.n)
			b->n--;
		return;
	}
}

static void make_jump(struct gen *g, struct block *b)
{
	struct stmt *s;

	if (g->in_loop && chance(g, 60)) {
		add(g, b, chance(g, 50) ? S_BREAK : S_CONTINUE);
	} else if (g->returns) {
		s = add(g, b, S_RETURN);
		if (g->returns->kind != K_VOID)
			s->arg[s->n++] = value(g, g->returns, 2);
	}
}

/* ---- all of them ---- */

static void make_raw(struct gen *g, struct block *b)
{
	static const char *const raw[] = {"stack()", "ustack()", "stack(3)", "ustack(5)",
		"sym(arg0)", "func(arg1)", "mod(arg0)", "usym(arg0)", "uaddr(arg1)", "umod(arg0)",
		"trace(curthread->comm)", "tracemem(curthread, 16)", "tracemem(arg0, 8, arg1)",
		"@r1[stack()] = count()", "@r2[ustack(4), execname] = sum(arg0)",
		"@r3[probefunc, probename] = quantize(arg1)",
		"@r4[usym(arg0), pid] = max(timestamp)", "@r5[sym(arg0)] = avg(arg2)",
		"printa(@r1)", "exit(arg0)", "clear(@r1)", "trunc(@r1, arg0)",
		"normalize(@r1, arg1)", "self->ts = timestamp", "printf(\"%p %a\", arg0, arg1)",
		"printf(\"%Y %c\", walltimestamp, (char)arg0)", "setopt(\"aggrate\", \"1s\")"};
	struct stmt *s = add(g, b, S_RAW);

	s->text = PICK(g, raw);
	if (strstr(s->text, "(@r1")) /* known by then */
		s->text = arena_printf("@r1[stack()] = count(); %s", s->text);
}

static void make_action(struct gen *g, struct block *b)
{
	unsigned r = below(g, 10);

	if (!may_act(g))
		add_expr(g, b, g->pure ? NULL : int_assignment(g, below(g, 4)));
	else if (r < 5)
		make_printf(g, b);
	else if (r < 7)
		make_trace(g, b);
	else if (g->in_spec)
		make_printf(g, b);
	else
		make_agg(g, b);
}

/* In a function without effects: only its parameters change. */
static void assign_local(struct gen *g, struct block *b)
{
	const struct local *l = g->nlocals ? g->local[below(g, g->nlocals)] : NULL;
	struct node *n;

	if (!l || l->type->kind == K_REC || l->type->kind == K_PTR)
		return;
	n = leaf(N_LOCAL, NULL, l->type);
	n->local = (struct local *)l;
	add_expr(g, b, node(N_ASSIGN, "=", n, value(g, l->type, 2)));
}

static void make_stmt(struct gen *g, struct block *b, unsigned depth)
{
	unsigned r = below(g, 100);

	if (g->on == ON_NEVER && chance(g, 30))
		make_raw(g, b);
	else if (r < 38)
		make_action(g, b);
	else if (g->in_def && on(g, "assignlocal") && r < 46)
		assign_local(g, b);
	else if (r < 46)
		make_pointer(g, b);
	else if (r < 56 && depth < 4 && on(g, "if"))
		make_if(g, b, depth);
	else if (r < 61 && depth < 3 && !g->in_def && g->on != ON_ERROR && on(g, "for"))
		make_for(g, b, depth);
	else if (r < 65 && depth < 3 && !g->in_def && g->on != ON_ERROR && on(g, "while"))
		make_while(g, b, depth);
	else if (r < 70 && depth && !g->in_foreach)
		make_jump(g, b);
	else if (r < 74 && !g->pure && may_act(g))
		add_expr(g, b, procedure(g));
	else if (g->pure)
		return;
	else if (r < 80 && chance(g, 30) && on(g, "strstore"))
		assign_character(g, b);
	else if (r < 80)
		assign_string(g, b);
	else if (r < 87)
		assign_object(g, b);
	else if (r < 89 && on(g, "delete"))
		make_delete(g, b);
	else if (r < 91 && on(g, "foreach"))
		make_foreach(g, b);
	else
		add_expr(g, b, int_assignment(g, below(g, 5)));
}

void make_block(struct gen *g, struct block *b, unsigned n, unsigned depth)
{
	for (unsigned tries = 0; n && g->left && b->n < ROOM - 8 && tries < 60; tries++) {
		unsigned before = b->n;
		enum stmt_kind last;

		make_stmt(g, b, depth);
		if (b->n == before)
			continue;
		n--;
		g->left -= g->left != 0;
		last = b->stmt[b->n - 1].kind;
		if (last == S_BREAK || last == S_CONTINUE || last == S_RETURN)
			break;
	}
}
