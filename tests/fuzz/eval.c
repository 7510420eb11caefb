// SPDX-License-Identifier: Apache-2.0
/*
 * What a program prints, from the same tree, by the rules of D: C's conversions, values
 * wrapped to their types, a fault ends its clause and runs the ERROR clauses.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

struct value {
	uint64_t i;
	const char *s; /* NULL: the null string */
};

/* A variable, or an element, that has a value. */
struct cell {
	struct cell *next;
	const struct var *var;
	const char *key;
	struct value v;
};

struct update {
	struct update *next;
	uint64_t value, by;
};

struct row {
	struct row *next;
	const struct agg *agg;
	const char *key;
	const char *text; /* of the keys */
	struct update *updates;
};

enum fault { FAULT_NONE, FAULT_BADADDR = 1, FAULT_DIVZERO = 4 };

struct machine {
	struct program *p;
	struct cell *cells;
	struct row *rows;
	FILE *out, *faults, *rec;
	jmp_buf env;
	const struct clause *clause;
	enum firing on;
	bool target; /* the thread is the target's, not dtrace's */
	unsigned error_probe, error_clause;
	enum fault error_code;
};

static struct value eval(struct machine *m, const struct node *n);

static void fault(struct machine *m, enum fault code)
{
	longjmp(m->env, code);
}

static uint64_t number(struct machine *m, const struct node *n)
{
	return eval(m, n).i;
}

/* ---- strings ---- */

static const char *cut(struct machine *m, const char *s, size_t len)
{
	char *t;

	if (len > strlen(s))
		len = strlen(s);
	if (len > m->p->strsize)
		len = m->p->strsize;
	t = arena(len + 1);
	memcpy(t, s, len);
	return t;
}

/* A string that is read: NULL is a bad address. */
static const char *text(struct machine *m, const struct node *n)
{
	struct value v = eval(m, n);

	if (!v.s)
		fault(m, FAULT_BADADDR);
	return v.s;
}

static const char *substr(struct machine *m, const char *s, int64_t at, bool counted, int64_t count)
{
	int64_t len = (int64_t)strlen(s), end;

	if (at < 0)
		at += len;
	if (at < 0) {
		if (counted && count < 0)
			return "";
		if (counted)
			count += at;
		if (counted && count < 0)
			return "";
		at = 0;
	}
	if (at >= len)
		return "";
	end = !counted ? len : count < 0 ? len + count : at + count;
	if (end > len)
		end = len;
	return end <= at ? "" : cut(m, s + at, (size_t)(end - at));
}

static const char *base_name(struct machine *m, const char *s)
{
	size_t end = strlen(s), at;

	if (!end)
		return ".";
	while (end && s[end - 1] == '/')
		end--;
	if (!end)
		return "/";
	for (at = end; at && s[at - 1] != '/'; at--)
		;
	return cut(m, s + at, end - at);
}

static const char *dir_name(struct machine *m, const char *s)
{
	size_t end = strlen(s);

	while (end && s[end - 1] == '/')
		end--;
	if (!end)
		return *s ? "/" : ".";
	while (end && s[end - 1] != '/')
		end--;
	if (!end)
		return ".";
	while (end && s[end - 1] == '/')
		end--;
	return end ? cut(m, s, end) : "/";
}

static struct value call(struct machine *m, const struct node *n)
{
	struct value v = {0};
	const char *s, *t;

	if (!strcmp(n->text, "lltostr")) {
		v.s = cut(m, arena_printf("%lld", (long long)number(m, n->kid[0])), 99);
		return v;
	}
	s = text(m, n->kid[0]);
	if (!strcmp(n->text, "strlen")) {
		v.i = strlen(s);
	} else if (!strcmp(n->text, "strjoin")) {
		t = text(m, n->kid[1]);
		v.s = cut(m, arena_printf("%s%s", s, t), SIZE_MAX);
	} else if (!strcmp(n->text, "basename")) {
		v.s = base_name(m, s);
	} else if (!strcmp(n->text, "dirname")) {
		v.s = dir_name(m, s);
	} else if (!strcmp(n->text, "substr")) {
		int64_t at = (int32_t)number(m, n->kid[1]), count = 0;

		if (n->nkids > 2)
			count = (int32_t)number(m, n->kid[2]);
		v.s = substr(m, s, at, n->nkids > 2, count);
	} else { /* stringof */
		v.s = s;
	}
	if (v.s)
		v.s = cut(m, v.s, SIZE_MAX);
	return v;
}

/* ---- variables ---- */

static void put_key(char *key, size_t *len, const struct ty *t, struct value v)
{
	if (t->size)
		*len += (size_t)sprintf(key + *len, "%llx,", (unsigned long long)wrap(v.i, t));
	else
		*len += (size_t)sprintf(key + *len, "%zu:%s,", strlen(v.s), v.s);
}

static const char *tuple(
	struct machine *m, struct node *const *kid, const struct ty *const *types_, unsigned n)
{
	char *key = arena(64 + n * (m->p->strsize + 40));
	size_t len = 0;

	for (unsigned i = 0; i < n; i++) {
		struct value v = eval(m, kid[i]);

		if (!types_[i]->size && !v.s)
			fault(m, FAULT_BADADDR);
		put_key(key, &len, types_[i], v);
	}
	return key;
}

static struct cell *cell(struct machine *m, const struct var *v, const char *key)
{
	/* the target's thread-locals are its own */
	bool target = v->scope == SELF && m->target;
	struct cell *c;

	key = arena_printf("%d %s", target, key);
	for (c = m->cells; c; c = c->next)
		if (c->var == v && !strcmp(c->key, key))
			return c;
	c = arena(sizeof(*c));
	c->var = v;
	c->key = key;
	/* unset: 0, NULL, but "" where the storage is always there */
	if (!v->type->size && !v->nkeys && v->scope != SELF)
		c->v.s = "";
	c->next = m->cells;
	m->cells = c;
	return c;
}

static struct cell *locate(struct machine *m, const struct node *n)
{
	return cell(m, n->var, tuple(m, n->kid, n->var->keys, n->nkids));
}

static struct value assign(struct machine *m, const struct node *n)
{
	const struct ty *t = n->kid[0]->type, *wide;
	bool shift = n->op[0] == n->op[1], zero = false;
	struct value v;
	struct cell *c;

	if (*n->op == '=') {
		v = eval(m, n->kid[1]);
		v.i = wrap(v.i, t);
		c = locate(m, n->kid[0]);
		c->v = v;
		return v;
	}
	/* the right side has no effects of its own here: the order does not show */
	v = eval(m, n->kid[1]);
	c = locate(m, n->kid[0]);
	wide = promoted(t);
	if (!shift) {
		const struct ty *r = promoted(n->kid[1]->type);

		if (r->size > wide->size || (r->size == wide->size && !r->is_signed))
			wide = r;
		v.i = wrap(v.i, wide);
	}
	v.i = eval_binary(n->op, wrap(c->v.i, wide), v.i, wide, &zero);
	if (zero)
		fault(m, FAULT_DIVZERO);
	v.i = wrap(wrap(v.i, wide), t);
	c->v = v;
	return v;
}

static struct value step(struct machine *m, const struct node *n)
{
	struct cell *c = locate(m, n->kid[0]);
	struct value old = c->v;

	c->v.i = wrap(old.i + (*n->op == '+' ? 1 : (uint64_t)-1), n->type);
	return n->kind == N_PREFIX ? c->v : old;
}

/* ---- expressions ---- */

static struct value known(struct machine *m, const struct node *n)
{
	static const struct {
		const char *text;
		uint64_t at[ON_NEVER];
	} ints[] = {{"id", {1, 2, 3}}, {"(unsigned int)strlen(probename)", {5, 3, 5, 5, 6}},
		{"(int)(probename == \"END\")", {0, 1, 0, 0, 0}},
		{"(pid == curthread->tgid)", {1, 1, 1, 1, 1}}, {"(timestamp - timestamp)", {0}},
		{"(timestamp != 0)", {1, 1, 1, 1, 1}},
		{"(execname == stringof(curthread->comm))", {1, 1, 1, 1, 1}},
		{"(tid == curthread->pid)", {1, 1, 1, 1, 1}},
		{"(ppid == curthread->real_parent->tgid)", {1, 1, 1, 1, 1}}, {"(rand() & 0)", {0}},
		{"errno", {0}}, {"(probeprov < \"dtracf\")", {1, 1, 1, 0, 0}},
		{"(walltimestamp > 1)", {1, 1, 1, 1, 1}},
		{"(vtimestamp == vtimestamp)", {1, 1, 1, 1, 1}},
		{"(epid == epid)", {1, 1, 1, 1, 1}},
		{"(uid == uid && gid == gid)", {1, 1, 1, 1, 1}}};
	static const char *const names[] = {"BEGIN", "END", "ERROR", "entry", "return"};
	bool sys = m->on == ON_ENTRY || m->on == ON_RETURN;
	struct value v = {0};

	if (!strcmp(n->text, "probename"))
		v.s = names[m->on];
	else if (!strcmp(n->text, "probeprov"))
		v.s = sys ? "syscall" : "dtrace";
	else if (!strcmp(n->text, "probefunc"))
		v.s = sys ? "getppid" : "";
	if (v.s) {
		v.s = cut(m, v.s, SIZE_MAX);
		return v;
	}
	if (!strncmp(n->text, "arg", 3)) {
		if (m->on == ON_ERROR)
			v.i = n->text[3] == '1'	    ? m->error_probe
				: n->text[3] == '2' ? m->error_clause
				: n->text[3] == '4' ? m->error_code
						    : 0;
		return v;
	}
	for (unsigned i = 0; i < sizeof(ints) / sizeof(ints[0]); i++)
		if (!strcmp(n->text, ints[i].text)) {
			v.i = ints[i].at[m->on];
			return v;
		}
	abort();
}

static int64_t compare(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static struct value binary(struct machine *m, const struct node *n)
{
	const struct ty *t = n->kid[0]->type;
	struct value a = eval(m, n->kid[0]), b, v = {0};
	bool zero = false;

	if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
		v.i = (a.i != 0) == (*n->op == '|') ? a.i != 0 : number(m, n->kid[1]) != 0;
		return v;
	}
	b = eval(m, n->kid[1]);
	if (!t->size || !n->kid[1]->type->size) {
		v.i = eval_binary(n->op, (uint64_t)compare(a.s, b.s), 0, &types[T_INT64], &zero);
		return v;
	}
	if (n->op[0] == n->op[1] && strchr("<>", *n->op)) {
		t = promoted(t);
	} else {
		const struct ty *r = promoted(n->kid[1]->type);

		t = promoted(t);
		if (r->size > t->size || (r->size == t->size && !r->is_signed))
			t = r;
		b.i = wrap(b.i, t);
	}
	v.i = wrap(eval_binary(n->op, wrap(a.i, t), b.i, t, &zero), n->type);
	if (zero)
		fault(m, FAULT_DIVZERO);
	return v;
}

static struct value unary(struct machine *m, const struct node *n)
{
	uint64_t a = number(m, n->kid[0]);
	struct value v = {.i = *n->op == '-' ? -a : *n->op == '~' ? ~a : *n->op == '!' ? !a : a};

	v.i = wrap(v.i, n->type);
	return v;
}

static struct value eval(struct machine *m, const struct node *n)
{
	struct value v = {0};

	switch (n->kind) {
	case N_INT:
		v.i = n->value;
		break;
	case N_STR:
		v.s = cut(m, n->text, SIZE_MAX);
		break;
	case N_VAR:
		v = locate(m, n)->v;
		break;
	case N_KNOWN:
		v = known(m, n);
		break;
	case N_UNARY:
		v = unary(m, n);
		break;
	case N_BINARY:
		v = binary(m, n);
		break;
	case N_COND:
		v = eval(m, n->kid[number(m, n->kid[0]) ? 1 : 2]);
		v.i = wrap(v.i, n->type);
		break;
	case N_COMMA:
		eval(m, n->kid[0]);
		v = eval(m, n->kid[1]);
		break;
	case N_CAST:
		v = eval(m, n->kid[0]);
		v.i = wrap(v.i, n->type);
		break;
	case N_SIZEOF:
		constant(n, &v.i);
		break;
	case N_ASSIGN:
		v = assign(m, n);
		break;
	case N_PREFIX:
	case N_POSTFIX:
		v = step(m, n);
		break;
	case N_CALL:
		v = call(m, n);
		break;
	case N_RAW:
		abort();
	}
	return v;
}

/* ---- statements ---- */

static void print_int(struct machine *m, const char *conv, const struct ty *t, uint64_t v)
{
	char fmt[16];
	size_t n = strlen(conv) - 1;

	/* %d prints an unsigned type unsigned; %u, %x, %o show the type's own width */
	if (!(conv[n] == 'd' || conv[n] == 'i') && t->size < 8)
		v &= ~(~0ull << 8 * t->size);
	snprintf(fmt, sizeof(fmt), "%.*sll%c", (int)n, conv,
		conv[n] == 'd' || conv[n] == 'i' ? (t->is_signed ? 'd' : 'u') : conv[n]);
	fprintf(m->rec, fmt, v);
}

static void print(struct machine *m, const struct stmt *s, unsigned at)
{
	const char *e = m->clause->on == ON_ERROR ? "E" : "";
	struct value v[MAX_ARGS];

	for (unsigned i = 0; i < s->n; i++) {
		if (s->arg[i]->type->size)
			v[i] = eval(m, s->arg[i]);
		else
			v[i].s = text(m, s->arg[i]);
	}
	fprintf(m->rec, "%s%c%d.%u", e, s->kind == S_TRACE ? 'T' : 'P', m->clause->number, at);
	for (unsigned i = 0; i < s->n; i++) {
		const struct ty *t = s->arg[i]->type;

		putc(' ', m->rec);
		if (t->size)
			print_int(m, s->kind == S_TRACE ? "%d" : s->conv[i], t, v[i].i);
		else
			fprintf(m->rec, s->kind == S_TRACE ? "%s" : s->conv[i], v[i].s);
	}
	putc('\n', m->rec);
}

static void key_text(char *out, const struct agg *a, const char *key)
{
	for (unsigned i = 0; i < a->nkeys; i++) {
		char *end;

		if (a->keys[i]->size) {
			uint64_t v = wrap(strtoull(key, &end, 16), a->keys[i]);

			out += sprintf(out, a->keys[i]->is_signed ? " %lld" : " %llu",
				(unsigned long long)v);
			key = end + 1;
		} else {
			size_t len = strtoull(key, &end, 10);

			out += sprintf(out, " %.*s", (int)len, end + 1);
			key = end + 1 + len + 1;
		}
	}
}

static void aggregate(struct machine *m, const struct stmt *s)
{
	const struct agg *a = s->agg;
	const char *key = tuple(m, s->key, a->keys, a->nkeys);
	struct update *u = arena(sizeof(*u)), **end;
	struct row *r;
	char *t;

	u->value = s->n ? number(m, s->arg[0]) : 0;
	u->by = s->n > 1 ? number(m, s->arg[1]) : 1;
	for (r = m->rows; r; r = r->next)
		if (r->agg == a && !strcmp(r->key, key))
			break;
	if (!r) {
		r = arena(sizeof(*r));
		r->agg = a;
		r->key = key;
		r->text = t = arena(strlen(key) * 2 + 64);
		key_text(t, a, key);
		r->next = m->rows;
		m->rows = r;
	}
	for (end = &r->updates; *end; end = &(*end)->next)
		;
	*end = u;
}

static void statement(struct machine *m, const struct stmt *s, unsigned at)
{
	switch (s->kind) {
	case S_EXPR:
		eval(m, s->arg[0]);
		break;
	case S_PRINTF:
	case S_TRACE:
		print(m, s, at);
		break;
	case S_AGG:
		aggregate(m, s);
		break;
	case S_RAW:
		abort();
	}
}

/* ---- clauses ---- */

static void fire(struct machine *m, enum firing on);

static void run_clause(struct machine *m, const struct clause *c)
{
	FILE *outer_rec = m->rec;
	char *volatile data = NULL;
	size_t len = 0;
	struct machine saved;
	int code;

	m->clause = c;
	m->rec = open_memstream((char **)&data, &len);
	code = setjmp(m->env);
	if (!code) {
		if (!c->predicate || number(m, c->predicate))
			for (unsigned i = 0; i < c->nstmts; i++)
				if (!c->stmt[i].dead)
					statement(m, &c->stmt[i], i);
	}
	fclose(m->rec);
	m->rec = outer_rec;
	if (!code)
		fputs(data, m->out);
	free(data);
	if (!code || c->on == ON_ERROR)
		return;
	fprintf(m->faults, "dt_clause_%d: %s\n", c->number,
		code == FAULT_DIVZERO ? "divide-by-zero" : "invalid address (0x0)");
	saved = *m;
	m->error_probe = c->on == ON_BEGIN ? 1 : 2;
	m->error_clause = (unsigned)c->number;
	m->error_code = (enum fault)code;
	fire(m, ON_ERROR);
	saved.cells = m->cells;
	saved.rows = m->rows;
	*m = saved;
}

static void fire(struct machine *m, enum firing on)
{
	enum firing outer = m->on;

	m->on = on;
	if (on != ON_ERROR)
		m->target = on == ON_ENTRY || on == ON_RETURN;
	for (struct cell *c = m->cells; c && on != ON_ERROR; c = c->next)
		if (c->var->scope == THIS)
			c->v = (struct value){.s = c->var->type->size ? NULL : ""};
	for (unsigned i = 0; i < m->p->nclauses; i++)
		if (!m->p->clause[i].dead && m->p->clause[i].on == on)
			run_clause(m, &m->p->clause[i]);
	m->on = outer;
}

/* ---- aggregations ---- */

typedef unsigned __int128 u128;

static uint64_t square_root(u128 v)
{
	u128 lo = 0, hi = (u128)1 << 64;

	while (hi - lo > 1) {
		u128 mid = lo + (hi - lo) / 2;

		if (mid * mid <= v)
			lo = mid;
		else
			hi = mid;
	}
	return (uint64_t)lo;
}

static void print_scalar(FILE *out, const struct row *r)
{
	int64_t n = 0, sum = 0, min = INT64_MAX, max = INT64_MIN, mean;
	u128 squares = 0;

	for (const struct update *u = r->updates; u; u = u->next) {
		int64_t v = (int64_t)u->value;

		n++;
		sum = (int64_t)((uint64_t)sum + (uint64_t)v);
		squares += (u128)((__int128)v * v);
		min = v < min ? v : min;
		max = v > max ? v : max;
	}
	mean = sum / n;
	switch (r->agg->func) {
	case COUNT:
		mean = n;
		break;
	case SUM:
		mean = sum;
		break;
	case MIN:
		mean = min;
		break;
	case MAX:
		mean = max;
		break;
	case STDDEV:
		mean = (int64_t)square_root(squares / (u128)n - (u128)((__int128)mean * mean));
		break;
	default:
		break;
	}
	fprintf(out, "%lld", (long long)mean);
}

static const char *quantize(int64_t v)
{
	uint64_t m = v < 0 ? -(uint64_t)v : (uint64_t)v, low = 1;

	if (!v)
		return "0";
	while (m >> 1 && low < 1ull << 62) {
		m >>= 1;
		low <<= 1;
	}
	return arena_printf("%s%llu", v < 0 ? "-" : "", (unsigned long long)low);
}

static const char *lquantize(const struct agg *a, int64_t v)
{
	int64_t base = a->param[0], step = a->param[2], levels = (a->param[1] - base) / step;

	if (v < base)
		return arena_printf("< %lld", (long long)base);
	if (v >= base + levels * step)
		return arena_printf(">= %lld", (long long)(base + levels * step));
	return arena_printf("%lld", (long long)(base + (v - base) / step * step));
}

static uint64_t power(uint64_t f, int n)
{
	uint64_t p = 1;

	while (n-- > 0)
		p *= f;
	return p;
}

static const char *llquantize(const struct agg *a, int64_t v)
{
	uint64_t f = (uint64_t)a->param[0], m = v < 0 ? -(uint64_t)v : (uint64_t)v, w, low;
	int k = a->param[1];

	if (m < power(f, k))
		return k ? arena_printf("< %llu", (unsigned long long)power(f, k)) : "0";
	if (m >= power(f, a->param[2] + 1))
		return arena_printf(v < 0 ? "<= -%llu" : ">= %llu",
			(unsigned long long)power(f, a->param[2] + 1));
	while (m >= power(f, k + 1))
		k++;
	w = power(f, k + 1) / (uint64_t)a->param[3];
	low = w ? m / w * w : m;
	if (low < power(f, k))
		low = power(f, k);
	return arena_printf("%s%llu", v < 0 ? "-" : "", (unsigned long long)low);
}

static const char *label(const struct agg *a, int64_t v)
{
	return a->func == QUANTIZE     ? quantize(v)
		: a->func == LQUANTIZE ? lquantize(a, v)
				       : llquantize(a, v);
}

/* The buckets that are not 0, by the smallest value in them: the order of the table. */
static void print_buckets(FILE *out, const struct row *r)
{
	bool done = false;
	int64_t after = INT64_MIN;

	while (!done) {
		const struct update *least = NULL;
		int64_t sum = 0;
		const char *l;

		for (const struct update *u = r->updates; u; u = u->next)
			if ((int64_t)u->value >= after &&
				(!least || (int64_t)u->value < (int64_t)least->value))
				least = u;
		if (!least)
			return;
		l = label(r->agg, (int64_t)least->value);
		for (const struct update *u = r->updates; u; u = u->next)
			if (!strcmp(label(r->agg, (int64_t)u->value), l)) {
				sum = (int64_t)((uint64_t)sum + u->by);
				if ((int64_t)u->value >= after)
					after = (int64_t)u->value;
			}
		done = after == INT64_MAX;
		after += !done;
		if (sum)
			fprintf(out, "[%s]=%lld ", l, (long long)sum);
	}
}

void program_eval(struct program *p, FILE *out, FILE *faults)
{
	struct machine m = {.p = p, .out = out, .faults = faults};

	program_mark(p);
	fire(&m, ON_BEGIN);
	for (unsigned i = 0; i < p->ncalls; i++) {
		fire(&m, ON_ENTRY);
		fire(&m, ON_RETURN);
	}
	fire(&m, ON_END);
	for (const struct row *r = m.rows; r; r = r->next) {
		fprintf(out, "@%u%s: ", r->agg->id, r->text);
		if (r->agg->func < QUANTIZE)
			print_scalar(out, r);
		else
			print_buckets(out, r);
		putc('\n', out);
	}
	fputs("end\n", out);
}
