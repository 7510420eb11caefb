// SPDX-License-Identifier: Apache-2.0
/* Random programs: everything is well typed, and known to eval.c unless it never runs. */
#include <string.h>

#include "program.h"

struct gen {
	uint64_t state;
	struct program *p;
	enum firing on; /* of the clause being made */
	bool pure;	/* no side effects here */
};

/* ---- chance ---- */

static uint64_t draw(struct gen *g)
{
	uint64_t z = (g->state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static unsigned below(struct gen *g, unsigned n)
{
	return (unsigned)(draw(g) % n);
}

static bool chance(struct gen *g, unsigned percent)
{
	return below(g, 100) < percent;
}

#define PICK(g, table) (table)[below(g, sizeof(table) / sizeof((table)[0]))]

/* ---- nodes ---- */

static struct node *node(enum node_kind kind, const char *op, struct node *a, struct node *b)
{
	struct node *n = arena(sizeof(*n));

	n->kind = kind;
	n->op = op;
	if (a)
		n->kid[n->nkids++] = a;
	if (b)
		n->kid[n->nkids++] = b;
	return n;
}

static struct node *leaf(enum node_kind kind, const char *text, const struct ty *type)
{
	struct node *n = node(kind, NULL, NULL, NULL);

	n->text = text;
	n->type = type;
	return n;
}

static struct node *integer(struct gen *g, unsigned depth);
static struct node *string(struct gen *g, unsigned depth);

static struct node *value(struct gen *g, const struct ty *t, unsigned depth)
{
	return t->size ? integer(g, depth) : string(g, depth);
}

/* ---- leaves ---- */

static const struct ty *fit(uint64_t v, bool hex, bool u, bool l, bool ll)
{
	bool s = !u, both = hex || u;

	if (!l && !ll && s && v <= INT32_MAX)
		return &types[T_INT];
	if (!l && !ll && both && v <= UINT32_MAX)
		return &types[T_UINT];
	if (s && v <= INT64_MAX)
		return &types[ll ? T_LLONG : T_LONG];
	return &types[ll ? T_ULLONG : T_ULONG];
}

static struct node *constant_int(struct gen *g)
{
	static const uint64_t interesting[] = {0, 1, 2, 3, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 65,
		100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536, 0x7ffffffe, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
		0xffffffffffffffff, 0xdeadbeefcafe};
	uint64_t v = chance(g, 70) ? PICK(g, interesting) : draw(g) >> below(g, 64);
	bool hex = chance(g, 30), octal = !hex && chance(g, 5);
	bool u = chance(g, 20), l = chance(g, 15), ll = !l && chance(g, 10);
	struct node *n;

	if (chance(g, 3)) {
		static const struct {
			const char *text;
			uint64_t value;
		} chars[] = {{"'a'", 97}, {"'ab'", 0x6162}, {"'\\n'", 10}, {"'\\0'", 0},
			{"'\\x41'", 65}, {"' '", 32}, {"'/'", 47}};
		unsigned i = below(g, sizeof(chars) / sizeof(chars[0]));

		n = leaf(N_INT, chars[i].text, &types[T_INT]);
		n->value = chars[i].value;
		return n;
	}
	if (!hex && !octal && !u && v > INT64_MAX)
		hex = true;
	n = leaf(N_INT, NULL, fit(v, hex || octal, u, l, ll));
	n->value = v;
	n->text = arena_printf(hex ? "0x%llx%s%s"
			: octal	   ? "0%llo%s%s"
				   : "%llu%s%s",
		(unsigned long long)v, u ? "u" : "",
		ll	    ? "LL"
			: l ? "L"
			    : "");
	return n;
}

static struct node *literal(struct gen *g)
{
	static const char *const texts[] = {"", "a", "b", "ab", "abc", "BEGIN", "END", "entry",
		"getppid", "dtrace", "/", "//", "/usr/bin/cc", "usr", "/usr/", "a/b/c//", "a/", ".",
		"..", "0", "-1", "hello, world", "tab\there", "12345678", "1234567",
		"123456789abcdef", "123456789abcdef0", "123456789abcdef01", "\"quoted\"",
		"back\\slash", "\xe4\xf6\xfc",
		"a rather long string that takes more than sixty-four bytes of room, surely"};

	return leaf(N_STR, PICK(g, texts), &types[T_STRING]);
}

static struct node *raw_int(struct gen *g)
{
	static const struct {
		const char *text;
		unsigned type;
	} raw[] = {{"arg0", T_INT64}, {"arg1", T_INT64}, {"arg2", T_INT64}, {"arg5", T_INT64},
		{"arg9", T_INT64}, {"pid", T_INT}, {"tid", T_INT}, {"ppid", T_INT}, {"cpu", T_INT},
		{"uid", T_UINT}, {"gid", T_UINT}, {"timestamp", T_UINT64}, {"vtimestamp", T_UINT64},
		{"walltimestamp", T_INT64}, {"epid", T_UINT64}, {"id", T_UINT}, {"errno", T_INT},
		{"rand()", T_INT}, {"curthread->pid", T_INT}, {"curthread->prio", T_INT},
		{"(uint64_t)curthread->mm", T_UINT64}, {"(uint64_t)curthread->mm->pgd", T_UINT64},
		{"curthread->real_parent->tgid", T_INT}, {"*(int *)(arg0 + 8)", T_INT},
		{"*(unsigned char *)arg1", T_UCHAR}, {"(arg0 > 0 ? arg1 : arg2)", T_INT64},
		{"curthread->real_parent->real_parent->comm[1]", T_CHAR}};
	unsigned i = below(g, sizeof(raw) / sizeof(raw[0]));

	return leaf(N_RAW, arena_printf("(%s)", raw[i].text), &types[raw[i].type]);
}

static struct node *raw_string(struct gen *g)
{
	static const char *const raw[] = {"execname", "probefunc", "probename", "probemod",
		"copyinstr(arg0)", "copyinstr(arg1, 20)", "copyinstr(arg1, arg2)",
		"stringof(curthread->comm)", "stringof(curthread->real_parent->comm)",
		"(string)curthread->comm", "stringof(arg1)", "stringof(copyin(arg0, 8))"};

	return leaf(N_RAW, arena_printf("(%s)", PICK(g, raw)), &types[T_STRING]);
}

static struct node *known_int(struct gen *g)
{
	static const struct {
		const char *text;
		unsigned type;
	} any[] = {{"(unsigned int)strlen(probename)", T_UINT},
		{"(int)(probename == \"END\")", T_INT}, {"(pid == curthread->tgid)", T_INT},
		{"(timestamp - timestamp)", T_UINT64}, {"(timestamp != 0)", T_INT},
		{"(execname == stringof(curthread->comm))", T_INT},
		{"(tid == curthread->pid)", T_INT},
		{"(ppid == curthread->real_parent->tgid)", T_INT}, {"(rand() & 0)", T_INT},
		{"(probeprov < \"dtracf\")", T_INT}, {"(walltimestamp > 1)", T_INT},
		{"(vtimestamp == vtimestamp)", T_INT}, {"(epid == epid)", T_INT},
		{"(uid == uid && gid == gid)", T_INT}};
	static const char *const args[] = {"arg0", "arg1", "arg2", "arg4", "arg5", "arg7", "arg9"};
	unsigned i = below(g, sizeof(any) / sizeof(any[0]));

	if (chance(g, 60) && g->on <= ON_ERROR && !(g->on == ON_ERROR && g->p->ncalls))
		return leaf(N_KNOWN, PICK(g, args), &types[T_INT64]);
	if (chance(g, 20) && g->on <= ON_ERROR)
		return leaf(N_KNOWN, "id", &types[T_UINT]);
	if (chance(g, 20) && g->on <= ON_ERROR)
		return leaf(N_KNOWN, "errno", &types[T_INT]);
	return leaf(N_KNOWN, any[i].text, &types[any[i].type]);
}

static struct node *var(struct gen *g, bool str, unsigned depth)
{
	struct var *v = NULL;
	struct node *n;

	for (unsigned tries = 0; tries < 20; tries++) {
		struct var *c = &g->p->var[below(g, g->p->nvars)];

		if (!c->type->size != str || (g->on == ON_ERROR && c->scope == THIS))
			continue;
		v = c;
		break;
	}
	if (!v)
		return NULL;
	n = node(N_VAR, NULL, NULL, NULL);
	n->var = v;
	n->type = v->type;
	for (unsigned i = 0; i < v->nkeys; i++) {
		/* few different keys, so that they meet again */
		n->kid[i] = chance(g, 60) ? (v->keys[i]->size ? leaf(N_INT, "1", &types[T_INT])
							      : leaf(N_STR, "k", &types[T_STRING]))
					  : value(g, v->keys[i], depth);
		if (n->kid[i]->kind == N_INT && !strcmp(n->kid[i]->text, "1"))
			n->kid[i]->value = 1;
	}
	n->nkids = v->nkeys;
	return n;
}

/* ---- expressions ---- */

static struct node *divisor_checked(struct node *n)
{
	uint64_t v;

	retype(n);
	if (constant(n->kid[1], &v) && !v) {
		struct node *one = leaf(N_INT, "1", &types[T_INT]);

		one->value = 1;
		n->kid[1] = node(N_BINARY, "|", n->kid[1], one);
		retype(n);
	}
	return n;
}

static struct node *int_binary(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {"+", "+", "-", "-", "*", "*", "/", "%", "&", "|", "^",
		"<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^"};
	const char *op = PICK(g, ops);
	struct node *n = node(N_BINARY, op, integer(g, depth), integer(g, depth));

	return *op == '/' || *op == '%' ? divisor_checked(n) : n;
}

static struct node *string_comparison(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {"==", "==", "!=", "<", "<=", ">", ">="};
	struct node *a = string(g, depth), *b = chance(g, 50) ? literal(g) : string(g, depth);

	if (chance(g, 10) && a->kind == N_VAR)
		b = leaf(N_RAW, "NULL", &types[T_STRING]);
	if (b->kind == N_RAW && g->on != ON_NEVER) /* only where nobody has to know */
		b = literal(g);
	return chance(g, 80) ? node(N_BINARY, PICK(g, ops), a, b)
			     : node(N_BINARY, PICK(g, ops), b, a);
}

static struct node *int_assignment(struct gen *g, unsigned depth)
{
	static const char *const ops[] = {
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
	struct node *v = var(g, false, depth), *n;
	const char *op;

	if (!v)
		return constant_int(g);
	if (chance(g, 40)) {
		static const char *const steps[] = {"++", "--"};

		return node(chance(g, 50) ? N_PREFIX : N_POSTFIX, PICK(g, steps), v, NULL);
	}
	if (chance(g, 50))
		return node(N_ASSIGN, "=", v, integer(g, depth));
	/* which side comes first is not told: no effects, and faults on one side only */
	op = PICK(g, ops);
	for (unsigned i = 0; i < v->nkids; i++)
		if (v->kid[i]->kind != N_INT && v->kid[i]->kind != N_STR)
			v->kid[i] = v->var->keys[i]->size ? constant_int(g) : literal(g);
	g->pure = true;
	n = node(N_ASSIGN, op, v, integer(g, depth));
	g->pure = false;
	return *op == '/' || *op == '%' ? divisor_checked(n) : n;
}

static struct node *int_leaf(struct gen *g, unsigned depth)
{
	struct node *n = NULL;

	if (g->on == ON_NEVER && chance(g, 30))
		return raw_int(g);
	if (chance(g, 10))
		return known_int(g);
	if (chance(g, 60))
		n = var(g, false, depth / 2);
	return n ? n : constant_int(g);
}

static struct node *cast(struct gen *g, struct node *a)
{
	struct node *n = node(N_CAST, NULL, a, NULL);

	n->type = &types[below(g, T_NINTS)];
	return n;
}

static struct node *integer(struct gen *g, unsigned depth)
{
	static const char *const unary[] = {"-", "-", "~", "!", "+"};

	if (!depth || chance(g, 15))
		return int_leaf(g, depth);
	depth--;
	switch (below(g, 16)) {
	case 0:
	case 1:
		return node(N_UNARY, PICK(g, unary), integer(g, depth), NULL);
	case 2:
	case 3:
		return cast(g, integer(g, depth));
	case 4: {
		struct node *n = node(N_COND, NULL, integer(g, depth), integer(g, depth));

		n->kid[n->nkids++] = integer(g, depth);
		return n;
	}
	case 5:
		return string_comparison(g, depth);
	case 6: {
		struct node *n = node(N_CALL, NULL, string(g, depth), NULL);

		n->text = "strlen";
		return n;
	}
	case 7:
		if (!g->pure)
			return int_assignment(g, depth);
		return int_leaf(g, depth);
	case 8:
		if (chance(g, 30)) {
			bool pure = g->pure;
			struct node *n;

			g->pure = true;
			n = node(N_SIZEOF, NULL, chance(g, 70) ? integer(g, depth) : literal(g),
				NULL);
			g->pure = pure;
			return n;
		}
		if (chance(g, 30))
			return node(N_COMMA, NULL, integer(g, depth), integer(g, depth));
		/* fallthrough */
	default:
		return int_binary(g, depth);
	}
}

static struct node *string_leaf(struct gen *g, unsigned depth)
{
	static const char *const names[] = {"probename", "probeprov", "probefunc"};
	struct node *n = NULL;

	if (g->on == ON_NEVER && chance(g, 40))
		return raw_string(g);
	if (chance(g, 15))
		return leaf(N_KNOWN, PICK(g, names), &types[T_STRING]);
	if (chance(g, 50))
		n = var(g, true, depth / 2);
	return n ? n : literal(g);
}

static struct node *string(struct gen *g, unsigned depth)
{
	struct node *n;

	if (!depth || chance(g, 30))
		return string_leaf(g, depth);
	depth--;
	switch (below(g, 10)) {
	case 0:
	case 1:
		n = node(N_CALL, NULL, string(g, depth), string(g, depth));
		n->text = "strjoin";
		return n;
	case 2:
	case 3:
		n = node(N_CALL, NULL, string(g, depth), integer(g, depth));
		if (chance(g, 60)) /* small positions are the interesting ones */
			n->kid[1] = node(N_BINARY, "%", n->kid[1], leaf(N_INT, "9", &types[T_INT]));
		if (n->kid[1]->kind == N_BINARY && n->kid[1]->kid[1]->kind == N_INT &&
			!strcmp(n->kid[1]->kid[1]->text, "9"))
			n->kid[1]->kid[1]->value = 9;
		if (chance(g, 60))
			n->kid[n->nkids++] = chance(g, 50) ? constant_int(g) : integer(g, depth);
		n->text = "substr";
		return n;
	case 4:
		n = node(N_CALL, NULL, string(g, depth), NULL);
		n->text = "basename";
		return n;
	case 5:
		n = node(N_CALL, NULL, string(g, depth), NULL);
		n->text = "dirname";
		return n;
	case 6:
		n = node(N_CALL, NULL, integer(g, depth), NULL);
		n->text = "lltostr";
		return n;
	case 7:
		n = node(N_COND, NULL, integer(g, depth), string(g, depth));
		n->kid[n->nkids++] = string(g, depth);
		return n;
	case 8:
		if (!g->pure && chance(g, 40) && (n = var(g, true, depth)))
			return node(N_ASSIGN, "=", n, string(g, depth));
		/* fallthrough */
	default:
		return string_leaf(g, depth);
	}
}

/* ---- statements ---- */

static void make_printf(struct gen *g, struct stmt *s)
{
	static const char *const ints[] = {
		"%d", "%d", "%d", "%u", "%x", "%X", "%o", "%i", "%5d", "%-6d", "%08x", "%+d"};
	static const char *const strings[] = {"%s", "%s", "%s", "%10s", "%-10s", "%.3s"};

	s->kind = S_PRINTF;
	s->n = 1 + below(g, 4);
	for (unsigned i = 0; i < s->n; i++) {
		bool str = chance(g, 35);

		s->arg[i] = str ? string(g, below(g, 4)) : integer(g, below(g, 5));
		s->conv[i] = str ? PICK(g, strings) : PICK(g, ints);
	}
}

static void make_agg(struct gen *g, struct stmt *s)
{
	struct agg *a = &g->p->agg[below(g, g->p->naggs)];

	s->kind = S_AGG;
	s->agg = a;
	for (unsigned i = 0; i < a->nkeys; i++) {
		s->key[i] = chance(g, 40) && !a->keys[i]->size ? literal(g)
							       : value(g, a->keys[i], below(g, 3));
		if (!a->declared && a->keys[i]->size) {
			s->key[i] = node(N_CAST, NULL, s->key[i], NULL);
			s->key[i]->type = a->keys[i];
		}
	}
	if (a->func == COUNT)
		return;
	s->arg[s->n++] = integer(g, below(g, 4));
	if (a->func == STDDEV || chance(g, 30)) { /* keeps the sum of squares in 128 bits */
		s->arg[0] = node(N_CAST, NULL, s->arg[0], NULL);
		s->arg[0]->type = &types[chance(g, 50) ? T_INT : T_SHORT];
	}
	if (a->func == LQUANTIZE || a->func == LLQUANTIZE) {
		if (chance(g, 70)) {
			s->arg[0] = node(N_BINARY, "%", s->arg[0], constant_int(g));
			divisor_checked(s->arg[0]);
		}
	}
	if (a->func == QUANTIZE && chance(g, 30))
		s->arg[s->n++] = integer(g, 1);
	if (a->func == LLQUANTIZE && chance(g, 20))
		s->arg[s->n++] = integer(g, 1);
}

static void make_raw(struct gen *g, struct stmt *s)
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

	s->kind = S_RAW;
	s->text = PICK(g, raw);
	if (strstr(s->text, "(@r1")) /* known by then */
		s->text = arena_printf("@r1[stack()] = count(); %s", s->text);
}

static void make_stmt(struct gen *g, struct stmt *s)
{
	struct node *v;

	if (g->on == ON_NEVER && chance(g, 30)) {
		make_raw(g, s);
		return;
	}
	switch (below(g, 10)) {
	case 0:
	case 1:
	case 2:
		make_printf(g, s);
		break;
	case 3:
		s->kind = S_TRACE;
		s->n = 1;
		s->arg[0] = chance(g, 30) ? string(g, below(g, 4)) : integer(g, below(g, 5));
		break;
	case 4:
	case 5:
		make_agg(g, s);
		break;
	case 6:
		v = var(g, true, 1);
		s->kind = S_EXPR;
		s->n = 1;
		s->arg[0] = v ? node(N_ASSIGN, "=", v, string(g, below(g, 4))) : integer(g, 2);
		break;
	default:
		s->kind = S_EXPR;
		s->n = 1;
		s->arg[0] = int_assignment(g, below(g, 5));
		break;
	}
}

/* ---- the program ---- */

static void make_vars(struct gen *g)
{
	struct program *p = g->p;

	p->nvars = 4 + below(g, 16);
	for (unsigned i = 0; i < p->nvars; i++) {
		struct var *v = &p->var[i];

		v->id = i;
		v->scope = (enum scope)below(g, 3);
		v->type = &types[chance(g, 30) ? T_STRING : below(g, T_NINTS)];
		v->implicit = chance(g, 30);
		if (v->scope != THIS && chance(g, 35))
			v->nkeys = 1 + below(g, 3);
		for (unsigned k = 0; k < v->nkeys; k++)
			v->keys[k] = &types[chance(g, 30) ? T_STRING : below(g, T_NINTS)];
		snprintf(v->name, sizeof(v->name), "%c%u", "gst"[v->scope], i);
	}
}

static void make_aggs(struct gen *g)
{
	static const int ll[][4] = {{10, 0, 3, 10}, {10, 1, 4, 20}, {2, 0, 20, 2}, {10, 0, 6, 5},
		{8, 1, 3, 64}, {10, 0, 2, 100}, {2, 3, 10, 16}, {10, 2, 18, 10}, {3, 0, 5, 1}};
	struct program *p = g->p;

	p->naggs = 1 + below(g, 6);
	for (unsigned i = 0; i < p->naggs; i++) {
		struct agg *a = &p->agg[i];

		a->id = i;
		a->func = (enum agg_func)below(g, NAGGFUNCS);
		a->nkeys = below(g, 4);
		for (unsigned k = 0; k < a->nkeys; k++)
			a->keys[k] = &types[chance(g, 40) ? T_STRING : below(g, T_NINTS)];
		a->declared = a->nkeys && chance(g, 50);
		if (a->func == LQUANTIZE) {
			a->param[0] = (int)below(g, 200) - 100;
			a->param[1] = a->param[0] + 10 + (int)below(g, 1000);
			a->param[2] = 1 + (int)below(g, 10);
		} else {
			memcpy(a->param, PICK(g, ll), sizeof(a->param));
		}
	}
}

static void make_clause(struct gen *g, struct clause *c, unsigned *left)
{
	static const char *const never[] = {"syscall::read:entry", "syscall:::return",
		"syscall::openat:entry", "syscall::[a-f]*:entry", "profile-97", "tick-100ms",
		"syscall::write*:", "syscall::getppid:return", "profile:::tick-1s"};
	unsigned r = below(g, 100);

	if (g->p->ncalls)
		c->on = r < 25	 ? ON_BEGIN
			: r < 50 ? ON_ENTRY
			: r < 75 ? ON_RETURN
			: r < 92 ? ON_END
				 : ON_ERROR;
	else
		c->on = r < 55 ? ON_BEGIN : r < 75 ? ON_END : r < 84 ? ON_ERROR : ON_NEVER;
	g->on = c->on;
	if (c->on == ON_NEVER)
		c->probe = PICK(g, never);
	c->wide = (c->on == ON_ENTRY || c->on == ON_RETURN) && chance(g, 40);
	if (chance(g, 30))
		c->predicate = integer(g, below(g, 4));
	c->nstmts = 1 + below(g, MAX_STMTS - 1);
	if (c->nstmts > *left)
		c->nstmts = *left;
	*left -= c->nstmts;
	for (unsigned i = 0; i < c->nstmts; i++)
		make_stmt(g, &c->stmt[i]);
}

struct program *program_generate(uint64_t seed, unsigned size)
{
	static const unsigned sizes[] = {256, 256, 256, 256, 8, 15, 16, 64, 100, 1000};
	struct gen g = {.state = seed * 0x2545f4914f6cdd1dull + 1};

	g.p = arena(sizeof(*g.p));
	g.p->clause = arena(MAX_CLAUSES * sizeof(*g.p->clause));
	g.p->strsize = PICK(&g, sizes);
	g.p->minimal_parens = chance(&g, 50);
	g.p->ncalls = chance(&g, 20) ? 1 + below(&g, 4) : 0;
	make_vars(&g);
	make_aggs(&g);
	size = 1 + below(&g, 2 * size);
	while (size && g.p->nclauses < MAX_CLAUSES)
		make_clause(&g, &g.p->clause[g.p->nclauses++], &size);
	return g.p;
}
