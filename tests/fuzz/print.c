// SPDX-License-Identifier: Apache-2.0
/* Prints a generated program as D text. */
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
	case N_DEREF:
	case N_ADDR:
		return 15;
	case N_CALL: /* alloca() is always cast, stringof is an operator */
		return n->type->kind == K_PTR || !strcmp(n->text, "stringof") ? 15 : 16;
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

/* A type as it stands in a cast. */
static void type_name(struct printer *p, const struct ty *t)
{
	fprintf(p->out, t->kind == K_PTR ? "%s *" : "%s", t->name);
}

static void object(struct printer *p, const struct node *n)
{
	switch (n->kind) {
	case N_FIELD:
	case N_ARROW:
		expr(p, n->kid[0], 16);
		fprintf(p->out, "%s%s", n->kind == N_FIELD ? "." : "->", n->field->name);
		break;
	case N_INDEX:
		expr(p, n->kid[0], 16);
		list(p, &n->kid[1], 1, "[]");
		break;
	case N_DEREF:
	case N_ADDR:
		putc(n->kind == N_DEREF ? '*' : '&', p->out);
		expr(p, n->kid[0], 15);
		break;
	default: /* N_XLATE */
		fprintf(p->out, n->type->kind == K_OBJ ? "xlate <%s *>(" : "xlate <%s>(",
			n->def->result->name);
		expr(p, n->kid[0], 2);
		putc(')', p->out);
		if (n->field)
			fprintf(p->out, ".%s", n->field->name);
		break;
	}
}

static void call(struct printer *p, const struct node *n)
{
	if (!strcmp(n->text, "alloca")) {
		putc('(', p->out);
		type_name(p, n->type);
		putc(')', p->out);
	}
	fputs(n->text, p->out);
	if (strcmp(n->text, "strtok") || n->nkids == 2) {
		list(p, n->kid, n->nkids, "()");
		return;
	}
	fputs("(NULL, ", p->out);
	expr(p, n->kid[0], 2);
	putc(')', p->out);
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
	case N_NULL:
		fputs("NULL", p->out);
		break;
	case N_LOCAL:
		fputs(n->local->name, p->out);
		break;
	case N_FIELD:
	case N_ARROW:
	case N_INDEX:
	case N_DEREF:
	case N_ADDR:
	case N_XLATE:
		object(p, n);
		break;
	case N_INLINE:
	case N_FUNC:
		fputs(n->def->name, p->out);
		if (n->kind == N_FUNC || n->nkids)
			list(p, n->kid, n->nkids, n->kind == N_FUNC ? "()" : "[]");
		break;
	case N_CAST:
		putc('(', p->out);
		type_name(p, n->type);
		putc(')', p->out);
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
		call(p, n);
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

static void declarator(FILE *out, const struct ty *t, const char *name)
{
	fprintf(out, "%s%s%s", t->name,
		t->kind == K_PTR || t->kind == K_OBJ ? " *"
			: *name			     ? " "
						     : "",
		name);
	for (; t->kind == K_ARR; t = t->of)
		fprintf(out, "[%u]", t->n);
}

static void declare_rec(struct printer *p, const struct ty *t)
{
	if (!t->used)
		return;
	fprintf(p->out, "%s {\n", t->name);
	for (unsigned i = 0; i < t->nfields; i++) {
		putc('\t', p->out);
		declarator(p->out, t->field[i].type, t->field[i].name);
		if (t->field[i].bits)
			fprintf(p->out, " : %u", t->field[i].bits);
		fputs(";\n", p->out);
	}
	fputs("};\n\n", p->out);
}

static void declare_var(struct printer *p, const struct var *v)
{
	static const char *const class[] = {[GLOBAL] = "", [SELF] = "self ", [THIS] = "this "};

	if (!v->used || v->implicit)
		return;
	fputs(class[v->scope], p -> out);
	declarator(p->out, v->type, v->name);
	for (unsigned i = 0; i < v->nkeys; i++)
		fprintf(p->out, "%s%s", i ? ", " : "[", v->keys[i]->name);
	fprintf(p->out, "%s;\n", v->nkeys ? "]" : "");
}

static void parameters(struct printer *p, const struct def *d, const char *brackets)
{
	putc(brackets[0], p->out);
	for (unsigned i = 0; i < d->nparams; i++) {
		if (i)
			fputs(", ", p->out);
		declarator(p->out, d->param[i].type, d->param[i].name);
	}
	putc(brackets[1], p->out);
}

static void block(struct printer *p, const struct block *b, unsigned depth, const char *tag);

static void define(struct printer *p, const struct def *d)
{
	if (!d->used)
		return;
	switch (d->kind) {
	case D_INLINE:
		fputs("inline ", p->out);
		declarator(p->out, d->result, d->name);
		if (d->nparams)
			parameters(p, d, "[]");
		fputs(" = ", p->out);
		expr(p, d->value, 2);
		fputs(";\n\n", p->out);
		break;
	case D_FUNC:
		declarator(p->out, d->result, d->name);
		parameters(p, d, "()");
		fputs("\n{\n", p->out);
		block(p, &d->body, 1, "");
		fputs("}\n\n", p->out);
		break;
	case D_XLATE:
		fprintf(p->out, "translator %s < ", d->result->name);
		declarator(p->out, d->param[0].type, d->param[0].name);
		fputs(" > {\n", p->out);
		for (unsigned i = 0; i < d->nmembers; i++) {
			fprintf(p->out, "\t%s = ", d->member[i]->name);
			expr(p, d->mvalue[i], 2);
			fputs(";\n", p->out);
		}
		fputs("};\n\n", p->out);
		break;
	}
}

/* ---- statements ---- */

static void typed_zero(FILE *out, const struct ty *t)
{
	if (is_int(t))
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

static void indent(struct printer *p, unsigned depth)
{
	while (depth--)
		putc('\t', p->out);
}

static void print(struct printer *p, const struct stmt *s, const char *tag)
{
	/* a label, so that a line tells where it came from */
	if (s->kind == S_TRACE) {
		fprintf(p->out, "printf(\"%sT%u \"); trace(", tag, s->uid);
		expr(p, s->arg[0], 2);
		fputs("); printf(\"\\n\")", p->out);
		return;
	}
	fprintf(p->out, "printf(\"%sP%u", tag, s->uid);
	for (unsigned i = 0; i < s->n; i++)
		fprintf(p->out, " %s", s->conv[i]);
	fputs("\\n\"", p->out);
	for (unsigned i = 0; i < s->n; i++) {
		fputs(", ", p->out);
		expr(p, s->arg[i], 2);
	}
	putc(')', p->out);
}

static void simple(struct printer *p, const struct stmt *s, const char *tag)
{
	static const char *const calls[] = {[S_SPECULATE] = "speculate",
		[S_COMMIT] = "commit",
		[S_DISCARD] = "discard",
		[S_EXIT] = "exit",
		[S_BCOPY] = "bcopy",
		[S_SHOW] = "print"};

	switch (s->kind) {
	case S_EXPR:
		expr(p, s->arg[0], 1);
		break;
	case S_TRACE:
	case S_PRINTF:
		print(p, s, tag);
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
	case S_TRACEMEM:
		fprintf(p->out, "printf(\"%sM%u\\n\"); tracemem", tag, s->uid);
		list(p, s->arg, s->n, "()");
		break;
	case S_DELETE:
		expr(p, s->arg[0], 15);
		fputs(" = 0", p->out);
		break;
	case S_BREAK:
		fputs("break", p->out);
		break;
	case S_CONTINUE:
		fputs("continue", p->out);
		break;
	case S_RETURN:
		fputs("return", p->out);
		if (!s->n)
			break;
		putc(' ', p->out);
		expr(p, s->arg[0], 1);
		break;
	case S_SPECULATION:
		var_name(p, s->var);
		fputs(" = speculation()", p->out);
		break;
	default:
		fputs(calls[s->kind], p->out);
		list(p, s->arg, s->n, "()");
		break;
	}
	fputs(";\n", p->out);
}

static void for_head(struct printer *p, const struct stmt *s)
{
	fputs("for (", p->out);
	var_name(p, s->var);
	fprintf(p->out, " = %lld; ", (long long)s->lo);
	var_name(p, s->var);
	fprintf(p->out, " %s %lld; ", s->op, (long long)s->hi);
	var_name(p, s->var);
	if (s->step == 1 || s->step == -1)
		fputs(s->step == 1 ? "++)" : "--)", p->out);
	else
		fprintf(p->out, " %s %lld)",
			s->step < 0 ? "-=" : "+=", (long long)(s->step < 0 ? -s->step : s->step));
}

static void foreach_head(struct printer *p, const struct stmt *s)
{
	fputs("foreach (", p->out);
	for (unsigned i = 0; i < s->var->nkeys; i++)
		fprintf(p->out, "%s%s", i ? ", " : "", s->local[i]->name);
	fputs(" in ", p->out);
	var_name(p, s->var);
	putc(')', p->out);
}

static void compound(struct printer *p, const struct stmt *s, unsigned depth, const char *tag)
{
	bool any = false;

	if (s->kind == S_FOR) {
		for_head(p, s);
	} else if (s->kind == S_FOREACH) {
		foreach_head(p, s);
	} else {
		fputs(s->kind == S_IF ? "if (" : "while (", p->out);
		expr(p, s->arg[0], 1);
		putc(')', p->out);
	}
	fputs(" {\n", p->out);
	block(p, &s->body, depth + 1, s->kind == S_FOREACH ? "F" : tag);
	indent(p, depth);
	putc('}', p->out);
	for (unsigned i = 0; i < s->orelse.n; i++)
		any |= !s->orelse.stmt[i].dead;
	if (any && s->orelse.n == 1 && s->orelse.stmt[0].kind == S_IF && !s->braces) {
		fputs(" else ", p->out);
		compound(p, &s->orelse.stmt[0], depth, tag);
		return;
	}
	if (any) {
		fputs(" else {\n", p->out);
		block(p, &s->orelse, depth + 1, tag);
		indent(p, depth);
		putc('}', p->out);
	}
	putc('\n', p->out);
}

static void block(struct printer *p, const struct block *b, unsigned depth, const char *tag)
{
	for (unsigned i = 0; i < b->n; i++) {
		const struct stmt *s = &b->stmt[i];

		if (s->dead)
			continue;
		indent(p, depth);
		if (s->kind == S_IF || s->kind == S_FOR || s->kind == S_WHILE ||
			s->kind == S_FOREACH)
			compound(p, s, depth, tag);
		else
			simple(p, s, tag);
	}
}

/* A clause that never runs: first assignments give types. */
static void declare_by_use(struct printer *p, const struct program *prog)
{
	bool any = false;

	for (unsigned i = 0; i < prog->nvars; i++)
		any |= prog->var[i].used &&
			(prog->var[i].implicit || prog->var[i].type->kind == K_PTR);
	for (unsigned i = 0; i < prog->naggs; i++)
		any |= prog->agg[i].used && prog->agg[i].declared;
	if (!any)
		return;
	fputs("BEGIN\n/arg0/\n{\n", p->out);
	for (unsigned i = 0; i < prog->nvars; i++) {
		const struct var *v = &prog->var[i];

		if (!v->used || (!v->implicit && v->type->kind != K_PTR))
			continue;
		putc('\t', p->out);
		var_name(p, v);
		if (v->type->kind == K_PTR) {
			fprintf(p->out,
				v->type->scratch ? " = (%s *)alloca(8);\n" : " = (%s *)8;\n",
				v->type->name);
			continue;
		}
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

/* A clause that never runs: each of these variables is assigned an object somewhere. */
static void declare_objects(struct printer *p, const struct program *prog)
{
	bool any = false;

	for (unsigned i = 0; i < prog->nvars; i++) {
		const struct var *v = &prog->var[i];

		if (!v->used || v->type->kind != K_OBJ)
			continue;
		if (!any)
			fputs("BEGIN\n/arg0/\n{\n", p->out);
		any = true;
		putc('\t', p->out);
		var_name(p, v);
		typed_zeros(p->out, v->keys, v->nkeys);
		fprintf(p->out, " = xlate <%s *>((%s)0);\n", v->type->name,
			v->def->param[0].type->name);
	}
	if (any)
		fputs("}\n\n", p->out);
}

/* ---- clauses ---- */

/* BODY with FILLER statements before each of its own, in one line. */
static void long_body(struct printer *p, const struct block *body, unsigned filler)
{
	for (unsigned i = 0; i < body->n; i++) {
		const struct block one = {.stmt = &body->stmt[i], .n = 1};

		putc('\t', p->out);
		for (unsigned k = 0; k < filler; k++)
			fputs("self->filler = 1; ", p->out);
		putc('\n', p->out);
		block(p, &one, 1, "");
	}
}

static void clause(struct printer *p, const struct clause *c, unsigned filler)
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
		fputs("/ ", p->out); /* before a "*" */
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
	for (unsigned i = 0; i < c->body.n; i++)
		any |= !c->body.stmt[i].dead;
	if (filler && c->on != ON_ERROR) /* which cannot be cut */
		long_body(p, &c->body, filler);
	else
		block(p, &c->body, 1, c->on == ON_ERROR ? "E" : "");
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
			if (a->keys[k]->kind != K_REC) /* those come last */
				fputs(is_int(a->keys[k]) ? " %d" : " %s", p->out);
		fprintf(p->out, ": %%@d\\n\", @a%u);\n", a->id);
	}
	fputs("\tprintf(\"end\\n\");\n}\n", p->out);
}

void program_print(struct program *prog, FILE *out)
{
	struct printer p = {out, prog->minimal_parens};

	if (prog->enums)
		fputs("enum e0 { EA, EB = 7, EC, ED = -3 };\n\n", out);
	for (unsigned i = 0; i < prog->nrecs; i++)
		declare_rec(&p, &prog->rec[i]);
	for (unsigned i = 0; i < prog->nvars; i++)
		declare_var(&p, &prog->var[i]);
	declare_by_use(&p, prog);
	for (unsigned i = 0; i < prog->ndefs; i++)
		define(&p, &prog->def[i]);
	declare_objects(&p, prog);
	for (unsigned c = 0; c < prog->nclauses; c++)
		if (!prog->clause[c].dead)
			clause(&p, &prog->clause[c], prog->filler);
	epilogue(&p, prog);
}
