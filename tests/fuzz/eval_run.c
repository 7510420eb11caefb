// SPDX-License-Identifier: Apache-2.0
/*
 * Runs statements, clauses and probes, and predicts what a program prints.  A fault ends its
 * clause and runs the ERROR clauses.  What a clause prints is a record, which a fault takes back;
 * where there are loops that print, each round has its own, and so have the statements between
 * them.
 */
#include "eval.h"

#include <stdlib.h>
#include <string.h>

enum flow { NEXT, BREAK, CONTINUE, RETURN };

static enum flow plain(struct machine *m, const struct stmt *s);
static enum flow sequence(struct machine *m, const struct block *b);

/* ---- records ---- */

static void begin_record(struct machine *m)
{
	m->rec = open_memstream(&m->rec_text, &m->rec_len);
}

static void end_record(struct machine *m, bool keep)
{
	if (!m->rec)
		return;
	fclose(m->rec);
	m->rec = NULL;
	if (keep && m->speculating)
		m->spec[m->speculating].text =
			arena_printf("%s%s", m->spec[m->speculating].text, m->rec_text);
	else if (keep)
		fputs(m->rec_text, m->out);
	free(m->rec_text);
}

static bool records(const struct block *b);

/* A call of a function that prints, as a statement. */
static const struct block *called(const struct stmt *s)
{
	return s->kind == S_EXPR && s->arg[0]->kind == N_FUNC ? &s->arg[0]->def->body : NULL;
}

static bool stmt_records(const struct stmt *s)
{
	const struct block *body = called(s);

	return s->kind == S_PRINTF || s->kind == S_TRACE || s->kind == S_EXIT ||
		s->kind == S_SHOW || s->kind == S_TRACEMEM || (body && records(body)) ||
		records(&s->body) || records(&s->orelse);
}

static bool records(const struct block *b)
{
	for (unsigned i = 0; i < b->n; i++)
		if (!b->stmt[i].dead && stmt_records(&b->stmt[i]))
			return true;
	return false;
}

/* True if a loop in S prints. */
static bool loop_records(const struct stmt *s)
{
	const struct block *in[] = {&s->body, &s->orelse, called(s)};

	if (s->kind == S_FOR || s->kind == S_WHILE || s->kind == S_FOREACH)
		return records(&s->body);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; in[i] && k < in[i]->n; k++)
			if (!in[i]->stmt[k].dead && loop_records(&in[i]->stmt[k]))
				return true;
	return false;
}

/* ---- printing ---- */

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

static void hexdump(struct machine *m, const struct value *v, unsigned size)
{
	const uint8_t *b = v->o->bytes + v->off;

	fputs("\n           ", m->rec);
	for (unsigned i = 0; i < 16; i++)
		fprintf(m->rec, "  %x", i);
	fputs("  0123456789abcdef\n", m->rec);
	for (unsigned at = 0; at < size; at += 16) {
		unsigned n = size - at < 16 ? size - at : 16;

		fprintf(m->rec, "     %5x:", at);
		for (unsigned i = 0; i < 16; i++) {
			if (i < n && !v->o->known[v->off + at + i])
				undefined(m, "bytes that were never written are shown");
			fprintf(m->rec, i < n ? " %02x" : "   ", i < n ? b[at + i] : 0);
		}
		fputs("  ", m->rec);
		for (unsigned i = 0; i < n; i++)
			putc(b[at + i] < ' ' || b[at + i] > '~' ? '.' : b[at + i], m->rec);
		putc('\n', m->rec);
	}
}

static void print(struct machine *m, const struct stmt *s)
{
	const char *tag = m->on == ON_ERROR ? "E" : "";
	struct value v[MAX_ARGS];

	if (m->foreach)
		tag = "F";
	for (unsigned i = 0; i < s->n; i++) {
		v[i] = eval(m, s->arg[i]);
		if (is_str(s->arg[i]->type) && !v[i].s)
			fault(m, FAULT_BADADDR, 0);
	}
	fprintf(m->rec, "%s%c%u", tag, s->kind == S_TRACE ? 'T' : 'P', s->uid);
	for (unsigned i = 0; i < s->n; i++) {
		const struct ty *t = s->arg[i]->type;

		putc(' ', m->rec);
		if (t->kind == K_REC)
			hexdump(m, &v[i], t->size);
		else if (is_int(t))
			print_int(m, s->kind == S_TRACE ? "%d" : s->conv[i], t, wrap(v[i].i, t));
		else
			fprintf(m->rec, s->kind == S_TRACE ? "%s" : s->conv[i], v[i].s);
	}
	putc('\n', m->rec);
}

static void show(struct machine *m, const struct node *n)
{
	struct value v = {0};

	if (n->type->kind == K_ARR) {
		struct place p = locate(m, n);

		check_access(m, &p, n->type->size);
	} else {
		v = eval(m, n);
	}
	if (is_str(n->type) && !v.s)
		fault(m, FAULT_BADADDR, 0);
}

static void trace_memory(struct machine *m, const struct stmt *s)
{
	struct value v = eval(m, s->arg[0]);
	struct place p = {.o = v.o, .off = v.off};
	unsigned size = (unsigned)s->arg[1]->value;

	check_access(m, &p, size);
	fprintf(m->rec, "%sM%u\n", m->on == ON_ERROR ? "E" : "", s->uid);
	hexdump(m, &v, size);
}

/* ---- simple statements ---- */

static void delete (struct machine *m, const struct stmt *s)
{
	struct place p = locate(m, s->arg[0]);

	memset(&p.cell->v, 0, sizeof(p.cell->v));
	if (p.cell->o.size)
		memset(p.cell->o.bytes, 0, p.cell->o.size);
	p.cell->present = false;
}

static void block_copy(struct machine *m, const struct stmt *s)
{
	struct place from = {0}, to = {0};
	struct value v;
	int64_t n;

	if (s->arg[0]->type->kind == K_ARR) {
		from = locate(m, s->arg[0]);
	} else {
		v = eval(m, s->arg[0]);
		from.o = v.o;
		from.off = v.off;
	}
	v = eval(m, s->arg[1]);
	to.o = v.o;
	to.off = v.off;
	n = (int64_t)number(m, s->arg[2]);
	if (n < 0 || n > m->p->scratchsize)
		fault(m, FAULT_BADSIZE, n);
	if (!n)
		return;
	/* which of two bad addresses is named is not told */
	if (!is_accessible(m, &to, (unsigned)n) && !is_accessible(m, &from, (unsigned)n))
		undefined(m, "bcopy() between bad addresses");
	check_access(m, &to, (unsigned)n);
	check_access(m, &from, (unsigned)n);
	copy(to.o, to.off, from.o, from.off, (unsigned)n);
}

static void speculation(struct machine *m, const struct stmt *s)
{
	struct node n = {.kind = N_VAR, .type = s->var->type, .var = s->var};
	struct place p = locate(m, &n);
	unsigned id = 0;

	/* those that are done may or may not be free again: the program has enough of them */
	if (m->nspecs < m->p->nspec && m->nspecs + 1 < MAX_SPECS) {
		id = ++m->nspecs;
		m->spec[id].state = SPEC_ACTIVE;
		m->spec[id].text = "";
	} else {
		m->failed++;
	}
	for (unsigned i = 1; i < id; i++)
		if (m->spec[i].state == SPEC_DONE)
			undefined(m, "a new speculation after the end of another");
	store(m, &p, (struct value){.i = id});
}

static void on_speculation(struct machine *m, const struct stmt *s)
{
	int64_t id = (int32_t)number(m, s->arg[0]);
	bool valid = id > 0 && id <= m->p->nspec;
	bool active = valid && id < MAX_SPECS && m->spec[id].state == SPEC_ACTIVE;

	if (s->kind == S_SPECULATE) {
		if (!active)
			longjmp(m->env, SKIP);
		m->speculating = (unsigned)id;
		return;
	}
	if (id && !valid)
		fault(m, FAULT_ILLOP, 0);
	if (!active)
		return;
	if (s->kind == S_COMMIT)
		fputs(m->spec[id].text, m->out);
	m->spec[id].state = SPEC_DONE;
}

static enum flow simple(struct machine *m, const struct stmt *s)
{
	switch (s->kind) {
	case S_EXPR:
		if (called(s))
			run_function(m, s->arg[0], false);
		else
			eval(m, s->arg[0]);
		break;
	case S_PRINTF:
	case S_TRACE:
		print(m, s);
		break;
	case S_AGG:
		aggregate(m, s);
		break;
	case S_SHOW:
		show(m, s->arg[0]);
		break;
	case S_TRACEMEM:
		trace_memory(m, s);
		break;
	case S_DELETE:
		delete (m, s);
		break;
	case S_BCOPY:
		block_copy(m, s);
		break;
	case S_BREAK:
		return BREAK;
	case S_CONTINUE:
		return CONTINUE;
	case S_RETURN:
		if (s->n)
			m->result = eval(m, s->arg[0]);
		return RETURN;
	case S_SPECULATION:
		speculation(m, s);
		break;
	case S_SPECULATE:
	case S_COMMIT:
	case S_DISCARD:
		on_speculation(m, s);
		break;
	case S_EXIT:
		m->exited = true;
		break;
	default: /* S_RAW */
		abort();
	}
	return NEXT;
}

/* ---- control flow ---- */

static enum flow straight(struct machine *m, const struct block *b)
{
	enum flow f = NEXT;

	for (unsigned i = 0; i < b->n && f == NEXT; i++)
		if (!b->stmt[i].dead)
			f = plain(m, &b->stmt[i]);
	return f;
}

static enum flow body(struct machine *m, const struct block *b, bool recording)
{
	if (++m->steps > 20000) {
		undefined(m, "it takes too long");
		longjmp(m->env, SKIP);
	}
	return recording ? sequence(m, b) : straight(m, b);
}

static bool condition(struct machine *m, const struct node *n)
{
	struct value v = eval(m, n);

	return n->type->kind == K_PTR ? v.o || v.off : v.i != 0;
}

static enum flow for_loop(struct machine *m, const struct stmt *s, bool recording)
{
	struct node n = {.kind = N_VAR, .type = s->var->type, .var = s->var};
	struct place p = locate(m, &n);
	enum flow f = NEXT;

	for (int64_t i = s->lo;; i += s->step) {
		store(m, &p, (struct value){.i = (uint64_t)i});
		if (s->step > 0 ? (s->op[1] ? i > s->hi : i >= s->hi)
				: (s->op[1] ? i < s->hi : i <= s->hi))
			break;
		f = body(m, &s->body, recording);
		if (f == BREAK || f == RETURN)
			break;
	}
	return f == RETURN ? f : NEXT;
}

static enum flow while_loop(struct machine *m, const struct stmt *s, bool recording)
{
	enum flow f = NEXT;

	for (unsigned rounds = 0; condition(m, s->arg[0]); rounds++) {
		if (rounds == m->p->loopbound)
			fault(m, FAULT_LOOPBOUND, rounds);
		f = body(m, &s->body, recording);
		if (f == BREAK || f == RETURN)
			break;
	}
	return f == RETURN ? f : NEXT;
}

static enum flow foreach_loop(struct machine *m, const struct stmt *s, bool recording)
{
	struct cell *found[200];
	unsigned n = 0, outer = m->many;
	enum flow f = NEXT;

	for (struct cell *c = m->cells; c; c = c->next)
		if (c->var == s->var && c->present && n < 200)
			found[n++] = c;
	m->many += n > 1 ? n : 0;
	m->foreach++;
	for (unsigned i = 0; i < n && f != RETURN; i++) {
		for (unsigned k = 0; k < s->var->nkeys; k++)
			s->local[k]->cell = local_cell(s->local[k], found[i]->keys[k]);
		f = body(m, &s->body, recording);
		if (f == BREAK || f == RETURN) {
			if (n > 1)
				undefined(m, "foreach is left");
			break;
		}
	}
	m->many = outer;
	m->foreach--;
	return f == RETURN ? f : NEXT;
}

static enum flow inside(struct machine *m, const struct stmt *s, bool recording)
{
	switch (s->kind) {
	case S_IF:
		return body(m, condition(m, s->arg[0]) ? &s->body : &s->orelse, recording);
	case S_FOR:
		return for_loop(m, s, recording);
	case S_WHILE:
		return while_loop(m, s, recording);
	case S_FOREACH:
		return foreach_loop(m, s, recording);
	default:
		run_function(m, s->arg[0], recording);
		return NEXT;
	}
}

static enum flow plain(struct machine *m, const struct stmt *s)
{
	bool nested =
		s->kind == S_IF || s->kind == S_FOR || s->kind == S_WHILE || s->kind == S_FOREACH;

	return nested ? inside(m, s, false) : simple(m, s);
}

static enum flow sequence(struct machine *m, const struct block *b)
{
	enum flow f = NEXT;

	for (unsigned i = 0; i < b->n && f == NEXT; i++) {
		const struct stmt *s = &b->stmt[i];

		if (s->dead)
			continue;
		if (loop_records(s)) {
			end_record(m, true);
			f = inside(m, s, true);
			continue;
		}
		if (!m->rec)
			begin_record(m);
		f = plain(m, s);
	}
	end_record(m, true);
	return f;
}

void run_function(struct machine *m, const struct node *n, bool recording)
{
	struct value v[MAX_PARAMS];
	const struct frame *frame = m->frame;
	void *outer[MAX_PARAMS];
	struct def *d = n->def;

	for (unsigned i = 0; i < n->nkids; i++)
		v[i] = convert(m, eval(m, n->kid[i]), d->param[i].type);
	for (unsigned i = 0; i < n->nkids; i++) {
		outer[i] = d->param[i].cell;
		d->param[i].cell = local_cell(&d->param[i], v[i]);
	}
	m->frame = NULL;
	m->result = (struct value){0};
	if (body(m, &d->body, recording) != RETURN && d->result->kind != K_VOID)
		undefined(m, "a function returns no value");
	m->result = convert(m, m->result, d->result);
	m->frame = frame;
	for (unsigned i = 0; i < n->nkids; i++)
		d->param[i].cell = outer[i];
}

/* ---- clauses ---- */

static void fire(struct machine *m, enum firing on);

static const char *phrase(const struct machine *m, int code)
{
	switch (code) {
	case FAULT_BADADDR: /* far from NULL and scratch memory it is nobody's business */
		if (m->fault_value < -65536 || m->fault_value >= 65536)
			return "invalid address (0x#)";
		if (m->fault_value == -1)
			return "invalid address";
		return arena_printf("invalid address (0x%llx)", (long long)m->fault_value);
	case FAULT_ILLOP:
		return "illegal operation";
	case FAULT_DIVZERO:
		return "divide-by-zero";
	case FAULT_NOSCRATCH:
		return "out of scratch space";
	case FAULT_BADSIZE:
		return "invalid size";
	case FAULT_BADINDEX:
		return arena_printf("index out of bounds (%lld)", (long long)m->fault_value);
	default:
		return arena_printf("loop bound exceeded (%lld)", (long long)m->fault_value);
	}
}

static void run_clause(struct machine *m, const struct clause *c)
{
	struct machine saved;
	int code;

	m->clause = c;
	m->frame = NULL;
	m->many = m->foreach = 0;
	m->speculating = 0;
	m->scratch = new_object(m->p->scratchsize, false);
	m->scratch->scratch = true;
	m->scratch->firing = m->firing;
	m->top = 0;
	code = setjmp(m->env);
	if (!code) {
		if (!c->predicate || condition(m, c->predicate))
			sequence(m, &c->body);
		return;
	}
	end_record(m, false);
	if (code == SKIP || c->on == ON_ERROR)
		return;
	fprintf(m->faults, "dt_clause_%d: %s\n", c->number, phrase(m, code));
	saved = *m;
	m->error_probe = c->on == ON_BEGIN ? 1 : 2;
	m->error_clause = (unsigned)c->number;
	m->error_code = (enum fault)code;
	m->error_value = m->fault_value;
	fire(m, ON_ERROR);
	m->clause = saved.clause;
	m->error_probe = saved.error_probe;
	m->error_clause = saved.error_clause;
	m->error_code = saved.error_code;
}

static void fire(struct machine *m, enum firing on)
{
	enum firing outer = m->on;

	m->on = on;
	if (on != ON_ERROR) {
		m->target = on == ON_ENTRY || on == ON_RETURN;
		m->token = NULL;
		m->firing++;
	}
	for (struct cell *c = m->cells; c && on != ON_ERROR; c = c->next) {
		if (c->var->scope != THIS)
			continue;
		c->v = (struct value){.s = is_str(c->var->type) ? "" : NULL};
		if (c->o.bytes)
			c->o = *new_object(c->o.size, true);
	}
	for (unsigned i = 0; i < m->p->nclauses; i++)
		if (!m->p->clause[i].dead && m->p->clause[i].on == on &&
			!(m->exited && on != ON_END && on != ON_ERROR))
			run_clause(m, &m->p->clause[i]);
	m->on = outer;
}

const char *program_eval(struct program *p, FILE *out, FILE *faults)
{
	struct machine m = {.p = p, .out = out, .faults = faults};

	program_mark(p);
	fire(&m, ON_BEGIN);
	for (unsigned i = 0; i < p->ncalls; i++) {
		fire(&m, ON_ENTRY);
		fire(&m, ON_RETURN);
	}
	fire(&m, ON_END);
	print_rows(&m);
	if (m.failed)
		fprintf(faults, "%u failed speculations\n", m.failed);
	fputs("end\n", out);
	return m.undefined;
}
