// SPDX-License-Identifier: Apache-2.0
/* Evaluates expressions by the rules of D: C's types, but 64-bit operations; casts and stores wrap.
 */
#include "eval.h"

#include <stdlib.h>
#include <string.h>

void undefined(struct machine *m, const char *why)
{
	if (!m->undefined)
		m->undefined = why;
}

void fault(struct machine *m, enum fault code, int64_t value)
{
	if (m->many)
		undefined(m, "a fault in a round of foreach");
	m->fault_value = value;
	longjmp(m->env, code);
}

uint64_t number(struct machine *m, const struct node *n)
{
	return eval(m, n).i;
}

const char *text(struct machine *m, const struct node *n)
{
	struct value v = eval(m, n);

	if (!v.s)
		fault(m, FAULT_BADADDR, 0);
	return v.s;
}

/* V as a variable of type T holds it. */
struct value convert(struct machine *m, struct value v, const struct ty *t)
{
	v.i = wrap(v.i, t);
	if (is_str(t) && t->size && v.s)
		v.s = cut(m, v.s, t->size);
	return v;
}

/* True if a pointer, or a number, is not 0. */
static bool truth(struct machine *m, const struct node *n)
{
	struct value v = eval(m, n);

	return n->type->kind == K_PTR || n->type->kind == K_OBJ ? v.o || v.off : v.i != 0;
}

/* ---- assignment ---- */

/* The fault that evaluating FN(N) raises; FAULT_NONE and *V. */
static enum fault attempt(struct machine *m, const struct node *n, struct value *v)
{
	jmp_buf outer;
	const struct frame *frame = m->frame;
	int code;

	memcpy(outer, m->env, sizeof(outer));
	code = setjmp(m->env);
	if (!code)
		*v = eval(m, n);
	m->frame = frame;
	memcpy(m->env, outer, sizeof(outer));
	return (enum fault)code;
}

static struct value moved(struct machine *m, struct value v, const struct ty *t, int64_t by)
{
	if (!v.o)
		undefined(m, "arithmetic on a null pointer");
	v.off += (int64_t)((uint64_t)by * t->of->size);
	return v;
}

static bool is_character(const struct node *n)
{
	return (n->kind == N_INDEX || n->kind == N_DEREF) && is_str(n->kid[0]->type);
}

static struct value compound(struct machine *m, const struct node *n)
{
	const struct ty *t = n->kid[0]->type, *wide = promoted(operand(n->kid[0]));
	const struct ty *r = operand(n->kid[1]);
	bool shift = n->op[0] == n->op[1], zero = false;
	struct value left = {0}, v = {0};
	enum fault a = attempt(m, n->kid[0], &left), b;
	int64_t at = m->fault_value;
	struct place p;

	/* neither side has effects, so that their order shows in faults only */
	b = attempt(m, n->kid[1], &v);
	if (a && b && (a != b || at != m->fault_value))
		undefined(m, "different faults on both sides of a compound assignment");
	if ((a || b) && is_character(n->kid[0]))
		undefined(m, "a fault beside a character that is perhaps not there");
	if (a || b)
		fault(m, a ? a : b, m->fault_value);
	if (t->kind == K_PTR) {
		p = locate(m, n->kid[0]);
		v = moved(m, left, t, *n->op == '+' ? (int64_t)v.i : -(int64_t)v.i);
		store(m, &p, v);
		return v;
	}
	if (!shift) {
		r = promoted(r);
		if (r->size > wide->size || (r->size == wide->size && !r->is_signed))
			wide = r;
	}
	v.i = eval_binary(n->op, left.i, v.i, wide, &zero);
	if (zero)
		fault(m, FAULT_DIVZERO, 0);
	v.i = wrap(v.i, t);
	p = locate(m, n->kid[0]);
	make_whole(&p);
	store(m, &p, v);
	return p.bits ? read_place(m, &p) : v;
}

static struct value assign(struct machine *m, const struct node *n)
{
	struct place p;
	struct value right, v;

	if (*n->op != '=')
		return compound(m, n);
	right = eval(m, n->kid[1]);
	v = convert(m, right, n->kid[0]->type);
	if (is_str(n->kid[0]->type) && !v.s && n->kid[0]->kind != N_VAR &&
		n->kid[0]->kind != N_LOCAL)
		undefined(m, "a null string in a struct, or a fault of its place");
	p = locate(m, n->kid[0]);
	/* 0 makes no element; a character is written to what is there by then */
	if (!is_int(n->type) || right.i || p.text)
		make_whole(&p);
	store(m, &p, v);
	return p.bits ? read_place(m, &p) : v;
}

static struct value step(struct machine *m, const struct node *n)
{
	struct place p = locate(m, n->kid[0]);
	struct value old = read_place(m, &p), v = old;
	int by = *n->op == '+' ? 1 : -1;

	if (n->type->kind == K_PTR)
		v = moved(m, old, n->type, by);
	else
		v.i = wrap(old.i + (uint64_t)by, n->type);
	make_whole(&p);
	store(m, &p, v);
	if (p.bits)
		v = read_place(m, &p);
	return n->kind == N_PREFIX ? v : old;
}

/* ---- operators ---- */

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
	if (!strcmp(n->text, "(arg4 == 11 ? arg5 : 0)")) {
		v.i = m->on == ON_ERROR && m->error_code == FAULT_BADINDEX
			? (uint64_t)m->error_value
			: 0;
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

static struct value on_pointers(
	struct machine *m, const struct node *n, struct value a, struct value b)
{
	bool left = n->kid[0]->type->kind == K_PTR, right = n->kid[1]->type->kind == K_PTR;
	const struct ty *t = n->kid[left ? 0 : 1]->type;
	struct value v = {0};
	bool zero = false;

	if (*n->op == '+' || (*n->op == '-' && !right)) {
		if (!left)
			return moved(m, b, t, (int64_t)a.i);
		return moved(m, a, t, *n->op == '+' ? (int64_t)b.i : -(int64_t)b.i);
	}
	if (a.o != b.o && ((a.o && b.o) || (strcmp(n->op, "==") && strcmp(n->op, "!="))))
		undefined(m, "pointers to different objects are compared");
	if (*n->op == '-') {
		int64_t by = a.off - b.off;

		if (by % (int64_t)t->of->size)
			undefined(m, "the distance of pointers is no multiple");
		v.i = (uint64_t)(by / (int64_t)t->of->size);
		return v;
	}
	if (a.o != b.o)
		v.i = *n->op == '!';
	else
		v.i = eval_binary(n->op, (uint64_t)a.off, (uint64_t)b.off, &types[T_INT64], &zero);
	return v;
}

/*
 * A string that is indexed or whose rest is taken.  The rest of NULL faults only when that is read,
 * at the sum of all offsets.
 */
static struct value text_operand(struct machine *m, const struct node *n)
{
	bool wraps = n->kind == N_BINARY || n->kind == N_COND || n->kind == N_COMMA ||
		n->kind == N_INLINE || n->kind == N_LOCAL;
	struct value v = {0};
	enum fault code;

	if (!wraps || !is_str(n->type))
		return eval(m, n);
	code = attempt(m, n, &v);
	if (code) {
		undefined(m, "the address of a rest of NULL");
		fault(m, code, m->fault_value);
	}
	return v;
}

/* The rest of a string. */
static struct value rest(struct machine *m, const struct node *n, struct value a, struct value b)
{
	struct value s = is_str(n->kid[0]->type) ? a : b;
	int64_t by = (int64_t)(is_str(n->kid[0]->type) ? b.i : a.i);

	if (!s.s)
		fault(m, FAULT_BADADDR, by);
	if (by < 0)
		undefined(m, "what is before a string");
	else
		s.past |= (uint64_t)by > strlen(s.s);
	if (by >= 0)
		s.s += (uint64_t)by < strlen(s.s) ? (size_t)by : strlen(s.s);
	return s;
}

static bool has_effects(const struct node *n)
{
	bool has = n->kind == N_ASSIGN || n->kind == N_PREFIX || n->kind == N_POSTFIX ||
		n->kind == N_FUNC || n->kind == N_INLINE || n->kind == N_XLATE ||
		(n->kind == N_CALL && !strcmp(n->text, "strtok"));

	for (unsigned i = 0; !has && i < n->nkids; i++)
		has = has_effects(n->kid[i]);
	return has;
}

/* The first operand of the sum of a string and a number: the order of these shows if both fault. */
static struct value first_operand(struct machine *m, const struct node *n)
{
	struct value v = {0}, other;
	enum fault code = attempt(m, n->kid[0], &v);
	int64_t at = m->fault_value;

	if (!code)
		return v;
	if (is_str(n->kid[0]->type) || (!has_effects(n->kid[1]) && attempt(m, n->kid[1], &other)))
		undefined(m, "faults on both sides of a sum, or the address of a rest of NULL");
	fault(m, code, at);
}

static struct value binary(struct machine *m, const struct node *n)
{
	const struct ty *t = operand(n->kid[0]), *r = operand(n->kid[1]);
	struct value a, b, v = {0};
	bool zero = false;

	if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
		bool left = truth(m, n->kid[0]);

		v.i = left == (*n->op == '|') ? left : truth(m, n->kid[1]);
		return v;
	}
	if (!strcmp(n->op, "^^")) {
		bool left = truth(m, n->kid[0]);

		v.i = left != truth(m, n->kid[1]);
		return v;
	}
	if (*n->op == '+' && (is_str(t) || is_str(r))) {
		a = first_operand(m, n);
		b = text_operand(m, n->kid[1]);
		return rest(m, n, a, b);
	}
	a = eval(m, n->kid[0]);
	b = eval(m, n->kid[1]);
	if (t->kind == K_PTR || r->kind == K_PTR)
		return on_pointers(m, n, a, b);
	if (is_str(t) || is_str(r)) {
		v.i = eval_binary(n->op, (uint64_t)compare(a.s, b.s), 0, &types[T_INT64], &zero);
		return v;
	}
	t = promoted(t);
	if (n->op[0] != n->op[1] || !strchr("<>", *n->op)) {
		r = promoted(r);
		if (r->size > t->size || (r->size == t->size && !r->is_signed))
			t = r;
	}
	v.i = eval_binary(n->op, a.i, b.i, t, &zero);
	if (zero)
		fault(m, FAULT_DIVZERO, 0);
	return v;
}

static struct value unary(struct machine *m, const struct node *n)
{
	struct value v = {0};
	uint64_t a;

	if (*n->op == '!') {
		v.i = !truth(m, n->kid[0]);
		return v;
	}
	a = number(m, n->kid[0]);
	v.i = *n->op == '-' ? -a : *n->op == '~' ? ~a : a;
	return v;
}

/* ---- objects ---- */

static struct value address(struct machine *m, const struct node *n)
{
	struct place p = locate(m, n->kid[0]);

	return (struct value){.o = p.o, .off = p.off};
}

/* A character of a string. */
static struct value character(struct machine *m, const struct node *n)
{
	struct value s = text_operand(m, n->kid[0]), v = {0};
	int64_t i = n->nkids > 1 ? (int64_t)number(m, n->kid[1]) : 0;

	if (!s.s)
		fault(m, FAULT_BADADDR, i);
	if (s.past || i < 0 || i > (int64_t)strlen(s.s))
		undefined(m, "a character behind the string's end");
	else
		v.i = (uint64_t)(int64_t)s.s[i];
	return v;
}

static struct value allocate(struct machine *m, const struct node *n)
{
	uint64_t size = number(m, n->kid[0]);
	struct value v = {.o = m->scratch, .off = m->top};

	if (size > m->p->scratchsize)
		fault(m, FAULT_NOSCRATCH, (int64_t)size);
	size = (size + 7) & ~7ull;
	if (m->top + size > m->p->scratchsize)
		fault(m, FAULT_NOSCRATCH, 0);
	m->top += (unsigned)size;
	return v;
}

static struct value local(struct machine *m, const struct node *n)
{
	const struct frame *f = m->frame;
	struct place p;
	struct value v;

	for (unsigned i = 0; f && i < f->use->def->nparams; i++) {
		if (&f->use->def->param[i] != n->local)
			continue;
		m->frame = f->outer;
		v = convert(m, eval(m, f->use->kid[i]), n->type);
		m->frame = f;
		return v;
	}
	p = locate(m, n);
	return read_place(m, &p);
}

/* A variable's members are copied when it is assigned, if they are read anywhere. */
static struct value member_value(struct machine *m, const struct node *n, const struct node *e)
{
	struct value v = {0};

	if (n->type->kind != K_OBJ)
		return eval(m, e);
	if (attempt(m, e, &v))
		undefined(m, "a fault in a member that is perhaps not read");
	return v;
}

static struct value translated(struct machine *m, const struct node *n)
{
	const struct def *d = n->def;
	struct frame f = {m->frame, n};
	struct value v = {0};

	if (n->type->kind == K_OBJ ||
		!n->field) /* its input is kept, or evaluated with the members */
		eval(m, n->kid[0]);
	m->frame = &f;
	if (!n->field)
		v.o = new_object(d->result->size, true);
	for (unsigned i = 0; i < d->nmembers; i++) {
		struct place p = {.o = v.o,
			.off = d->member[i]->off / 8,
			.type = d->member[i]->type,
			.bits = d->member[i]->bits ? d->member[i] : NULL};

		if (n->field && n->field != d->member[i])
			continue;
		if (n->field) {
			v = convert(m, eval(m, d->mvalue[i]), n->type);
			v.i = cut_to_field(v.i, n);
		} else {
			store(m, &p, convert(m, member_value(m, n, d->mvalue[i]), p.type));
		}
	}
	m->frame = f.outer;
	return v;
}

static struct value inlined(struct machine *m, const struct node *n)
{
	struct frame f = {m->frame, n};
	struct value v;

	m->frame = &f;
	v = convert(m, eval(m, n->def->value), n->type);
	m->frame = f.outer;
	return v;
}

static struct value cast(struct machine *m, const struct node *n)
{
	struct value v = eval(m, n->kid[0]);

	if (n->type->kind == K_PTR && is_int(n->kid[0]->type)) {
		v.o = NULL;
		v.off = (int64_t)v.i;
	}
	v.i = wrap(v.i, n->type);
	return v;
}

/* Reads the value of an lvalue. */
static struct value lvalue(struct machine *m, const struct node *n)
{
	struct place p;

	if ((n->kind == N_INDEX || n->kind == N_DEREF) && is_str(n->kid[0]->type))
		return character(m, n);
	p = locate(m, n);
	return read_place(m, &p);
}

struct value eval(struct machine *m, const struct node *n)
{
	struct value v = {0};

	switch (n->kind) {
	case N_INT:
		v.i = n->value;
		break;
	case N_STR:
		v.s = cut(m, n->text, SIZE_MAX);
		break;
	case N_NULL:
		break;
	case N_LOCAL:
		v = local(m, n);
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
		v = eval(m, n->kid[truth(m, n->kid[0]) ? 1 : 2]);
		break;
	case N_COMMA:
		eval(m, n->kid[0]);
		v = eval(m, n->kid[1]);
		break;
	case N_CAST:
		v = cast(m, n);
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
		v = strcmp(n->text, "alloca") ? call(m, n) : allocate(m, n);
		break;
	case N_ADDR:
		v = address(m, n);
		break;
	case N_INLINE:
		v = inlined(m, n);
		break;
	case N_FUNC:
		run_function(m, n, false);
		v = m->result;
		break;
	case N_XLATE:
		v = translated(m, n);
		break;
	case N_VAR:
	case N_FIELD:
	case N_ARROW:
	case N_INDEX:
	case N_DEREF:
		v = lvalue(m, n);
		break;
	case N_RAW:
		abort();
	}
	return v;
}
