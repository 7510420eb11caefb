// SPDX-License-Identifier: Apache-2.0
/* A program as D text. */
#include <string.h>

#include "program.h"

struct printer {
	FILE *out;
	bool minimal;
};

/* Levels of the grammar, loosest first; unary operators are 15, postfix ones 16. */
static int level(const struct node *n)
{
	static const struct {
		const char *op;
		int level;
	} binary[] = {{"||", 4}, {"^^", 5}, {"&&", 6}, {"|", 7}, {"^", 8}, {"&", 9}, {"==", 10},
		{"!=", 10}, {"<", 11}, {"<=", 11}, {">", 11}, {">=", 11}, {"<<", 12}, {">>", 12},
		{"+", 13}, {"-", 13}, {"*", 14}, {"/", 14}, {"%", 14}};

	switch (n->kind) {
	case N_COMMA:
		return 1;
	case N_ASSIGN:
		return 2;
	case N_COND:
		return 3;
	case N_BINARY:
		for (unsigned i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
			if (!strcmp(binary[i].op, n->op))
				return binary[i].level;
		return 0;
	case N_UNARY:
	case N_CAST:
	case N_SIZEOF:
	case N_PREFIX:
		return 15;
	case N_RAW:
		return 0;
	default:
		return 16;
	}
}

static void expr(struct printer *p, const struct node *n, int least);

static void string(struct printer *p, const char *s)
{
	putc('"', p->out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(p->out, "\\%c", *s);
		else if (*s == '\t')
			fputs("\\t", p->out);
		else if (*s < ' ' || *s > '~')
			fprintf(p->out, "\\%03o", (unsigned char)*s);
		else
			putc(*s, p->out);
	}
	putc('"', p->out);
}

static void var_name(struct printer *p, const struct var *v)
{
	static const char *const prefix[] = {[GLOBAL] = "", [SELF] = "self->", [THIS] = "this->"};

	fprintf(p->out, "%s%s", prefix[v->scope], v->name);
}

static void list(struct printer *p, struct node *const *kid, unsigned n, const char *brackets)
{
	putc(brackets[0], p->out);
	for (unsigned i = 0; i < n; i++) {
		if (i)
			fputs(", ", p->out);
		expr(p, kid[i], 2);
	}
	putc(brackets[1], p->out);
}

static void bare(struct printer *p, const struct node *n)
{
	int l = level(n);

	switch (n->kind) {
	case N_INT:
	case N_KNOWN:
	case N_RAW:
		fputs(n->text, p->out);
		break;
	case N_STR:
		string(p, n->text);
		break;
	case N_VAR:
		var_name(p, n->var);
		if (n->var->nkeys)
			list(p, n->kid, n->nkids, "[]");
		break;
	case N_UNARY:
	case N_PREFIX:
		fprintf(p->out, "%s ", n->op); /* "- -x" is not "--x" */
		expr(p, n->kid[0], 15);
		break;
	case N_CAST:
		fprintf(p->out, "(%s)", n->type->name);
		expr(p, n->kid[0], 15);
		break;
	case N_SIZEOF:
		fputs("sizeof (", p->out);
		expr(p, n->kid[0], 1);
		putc(')', p->out);
		break;
	case N_POSTFIX:
		expr(p, n->kid[0], 16);
		fputs(n->op, p->out);
		break;
	case N_CALL:
		fputs(n->text, p->out);
		list(p, n->kid, n->nkids, "()");
		break;
	case N_COND:
		expr(p, n->kid[0], 4);
		fputs(" ? ", p->out);
		expr(p, n->kid[1], 1);
		fputs(" : ", p->out);
		expr(p, n->kid[2], 3);
		break;
	case N_ASSIGN:
		expr(p, n->kid[0], 15);
		fprintf(p->out, " %s ", n->op);
		expr(p, n->kid[1], 2);
		break;
	default: /* binary and comma: left-associative */
		expr(p, n->kid[0], l);
		fprintf(p->out, " %s ", n->kind == N_COMMA ? "," : n->op);
		expr(p, n->kid[1], l + 1);
		break;
	}
}

static void expr(struct printer *p, const struct node *n, int least)
{
	bool parens = level(n) < least || (!p->minimal && level(n) < 15 && least > 2);

	if (parens)
		putc('(', p->out);
	bare(p, n);
	if (parens)
		putc(')', p->out);
}

/* ---- declarations ---- */

static void declare_var(struct printer *p, const struct var *v)
{
	static const char *const class[] = {[GLOBAL] = "", [SELF] = "self ", [THIS] = "this "};

	if (!v->used || v->implicit)
		return;
	fprintf(p->out, "%s%s %s", class[v->scope], v -> type -> name, v -> name);
	for (unsigned i = 0; i < v->nkeys; i++)
		fprintf(p->out, "%s%s", i ? ", " : "[", v->keys[i]->name);
	fprintf(p->out, "%s;\n", v->nkeys ? "]" : "");
}

static void typed_zero(FILE *out, const struct ty *t)
{
	if (t->size)
		fprintf(out, "(%s)0", t->name);
	else
		fputs("\"\"", out);
}

static void typed_zeros(FILE *out, const struct ty *const *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ", " : "[", out);
		typed_zero(out, t[i]);
	}
	if (n)
		putc(']', out);
}

static void agg_call(struct printer *p, const struct agg *a, const struct stmt *s)
{
	static const char *const names[] = {[COUNT] = "count",
		[SUM] = "sum",
		[MIN] = "min",
		[MAX] = "max",
		[AVG] = "avg",
		[STDDEV] = "stddev",
		[QUANTIZE] = "quantize",
		[LQUANTIZE] = "lquantize",
		[LLQUANTIZE] = "llquantize"};
	unsigned nparams = a->func == LQUANTIZE ? 3 : a->func == LLQUANTIZE ? 4 : 0;

	fprintf(p->out, " = %s(", names[a->func]);
	if (s && s->n)
		expr(p, s->arg[0], 2);
	else if (!s && a->func != COUNT)
		putc('0', p->out);
	for (unsigned i = 0; i < nparams; i++)
		fprintf(p->out, ", %d", a->param[i]);
	if (s && s->n > 1) {
		fputs(", ", p->out);
		expr(p, s->arg[1], 2);
	}
	putc(')', p->out);
}

/* A clause that never runs: first assignments give types. */
static void declare_by_use(struct printer *p, const struct program *prog)
{
	bool any = false;

	for (unsigned i = 0; i < prog->nvars; i++)
		any |= prog->var[i].used && prog->var[i].implicit;
	for (unsigned i = 0; i < prog->naggs; i++)
		any |= prog->agg[i].used && prog->agg[i].declared;
	if (!any)
		return;
	fputs("BEGIN\n/arg0/\n{\n", p->out);
	for (unsigned i = 0; i < prog->nvars; i++) {
		const struct var *v = &prog->var[i];

		if (!v->used || !v->implicit)
			continue;
		putc('\t', p->out);
		var_name(p, v);
		typed_zeros(p->out, v->keys, v->nkeys);
		fputs(" = ", p->out);
		typed_zero(p->out, v->type);
		fputs(";\n", p->out);
	}
	for (unsigned i = 0; i < prog->naggs; i++) {
		const struct agg *a = &prog->agg[i];

		if (!a->used || !a->declared)
			continue;
		fprintf(p->out, "\t@a%u", a->id);
		typed_zeros(p->out, a->keys, a->nkeys);
		agg_call(p, a, NULL);
		fputs(";\n", p->out);
	}
	fputs("}\n\n", p->out);
}

/* ---- clauses ---- */

static void statement(struct printer *p, const struct clause *c, const struct stmt *s, unsigned at)
{
	putc('\t', p->out);
	switch (s->kind) {
	case S_EXPR:
		expr(p, s->arg[0], 1);
		break;
	case S_TRACE: /* a label, so that a line tells where it came from */
		fprintf(p->out, "printf(\"%sT%d.%u \"); trace(", c->on == ON_ERROR ? "E" : "",
			c->number, at);
		expr(p, s->arg[0], 2);
		fputs("); printf(\"\\n\")", p->out);
		break;
	case S_PRINTF:
		fprintf(p->out, "printf(\"%sP%d.%u", c->on == ON_ERROR ? "E" : "", c->number, at);
		for (unsigned i = 0; i < s->n; i++)
			fprintf(p->out, " %s", s->conv[i]);
		fputs("\\n\"", p->out);
		for (unsigned i = 0; i < s->n; i++) {
			fputs(", ", p->out);
			expr(p, s->arg[i], 2);
		}
		putc(')', p->out);
		break;
	case S_AGG:
		fprintf(p->out, "@a%u", s->agg->id);
		if (s->agg->nkeys)
			list(p, s->key, s->agg->nkeys, "[]");
		agg_call(p, s->agg, s);
		break;
	case S_RAW:
		fputs(s->text, p->out);
		break;
	}
	fputs(";\n", p->out);
}

static void clause(struct printer *p, const struct clause *c)
{
	static const char *const probes[] = {[ON_BEGIN] = "BEGIN",
		[ON_END] = "END",
		[ON_ERROR] = "ERROR",
		[ON_ENTRY] = "syscall::getppid:entry",
		[ON_RETURN] = "syscall::getppid:return"};
	bool target = c->on == ON_ENTRY || c->on == ON_RETURN, any = false;

	if (c->wide)
		fprintf(p->out, "syscall:::%s\n", c->on == ON_ENTRY ? "entry" : "return");
	else
		fprintf(p->out, "%s\n", c->on == ON_NEVER ? c->probe : probes[c->on]);
	if (target || c->predicate) {
		putc('/', p->out);
		if (target)
			fputs("pid == $target", p->out);
		if (c->wide)
			fputs(" && probefunc == \"getppid\"", p->out);
		if (target && c->predicate)
			fputs(" && ", p->out);
		if (c->predicate)
			expr(p, c->predicate, 15);
		fputs("/\n", p->out);
	}
	fputs("{\n", p->out);
	for (unsigned i = 0; i < c->nstmts; i++)
		if (!c->stmt[i].dead) {
			statement(p, c, &c->stmt[i], i);
			any = true;
		}
	if (!any)
		fputs("\tthis->nothing = 0;\n", p->out);
	fputs("}\n\n", p->out);
}

/* Every aggregation, a line or block that begins with "@" a key. */
static void epilogue(struct printer *p, const struct program *prog)
{
	if (!prog->ncalls)
		fputs("BEGIN\n{\n\texit(0);\n}\n\n", p->out);
	fputs("END\n{\n", p->out);
	for (unsigned i = 0; i < prog->naggs; i++) {
		const struct agg *a = &prog->agg[i];

		if (!a->used)
			continue;
		fprintf(p->out, "\tprinta(\"@%u", a->id);
		for (unsigned k = 0; k < a->nkeys; k++)
			fputs(a->keys[k]->size ? " %d" : " %s", p->out);
		fprintf(p->out, ": %%@d\\n\", @a%u);\n", a->id);
	}
	fputs("\tprintf(\"end\\n\");\n}\n", p->out);
}

void program_print(struct program *prog, FILE *out)
{
	struct printer p = {out, prog->minimal_parens};

	for (unsigned i = 0; i < prog->nvars; i++)
		declare_var(&p, &prog->var[i]);
	declare_by_use(&p, prog);
	for (unsigned c = 0; c < prog->nclauses; c++)
		if (!prog->clause[c].dead)
			clause(&p, &prog->clause[c]);
	epilogue(&p, prog);
}
