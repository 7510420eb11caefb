// SPDX-License-Identifier: Apache-2.0
/*
 * Checks the unfinished program with the compiler.  The statement that the cursor stands in is
 * replaced by the operand whose type is wanted, and open braces are closed; if that does not
 * compile, the operand is tried alone in the clause, and then outside of it.  A function's body is
 * checked as a clause whose parameters are variables of the program.
 */
#include <string.h>

#include "base/arena.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "help/complete_private.h"
#include "lang/ast.h"
#include "lang/source.h"
#include "sema/sema.h"
#include "sema/typed.h"

enum completing_attempt { WITH_STATEMENTS, ALONE, IN_FUNCTION, WITH_PARAMETERS, OUTSIDE, ATTEMPTS };

#define NO_CLAUSE "dtrace:::BEGIN"

static const char *copy(struct completing *k, const char *from, const char *to)
{
	return arena_strndup(k->arena, from, (size_t)(to - from));
}

/* Returns declarations, "int a; char *b;", of the parameters of the function around the cursor. */
static const char *declare_parameters(struct completing *k)
{
	const struct cursor_place *p = &k->place;
	const char *start = memchr(p->item, '(', (size_t)(p->body - p->item)), *text = "", *end;
	int depth = 0;

	start = start ? start + 1 : p->body;
	for (end = start; end < p->body && depth >= 0; end++) {
		depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
		if (depth < 0 || (!depth && *end == ',')) {
			const char *one = copy(k, start, end);

			if (strcmp(one, "void") != 0 && one[strspn(one, " \t\n")])
				text = arena_printf(k->arena, "%s%s; ", text, one);
			start = end + 1;
		}
	}
	return text;
}

/* Returns the program of an attempt in a function's body; *CLAUSE is where its clause begins. */
static const char *make_function_program(
	struct completing *k, enum completing_attempt a, const char *operand, const char **clause)
{
	const struct cursor_place *p = &k->place;
	const char *before, *text;

	before = arena_printf(k->arena, "%s\n%s", copy(k, p->text, p->item), declare_parameters(k));
	text = arena_printf(k->arena, "%s%s{%s\n%s;%s", before, NO_CLAUSE,
		a == IN_FUNCTION ? copy(k, p->body, p->stmt) : "", operand,
		a == IN_FUNCTION ? p->closing : "}");
	*clause = text + strlen(before);
	return text;
}

/* Returns the program of attempt A for OPERAND; *CLAUSE is where its clause begins. */
static const char *make_program(
	struct completing *k, enum completing_attempt a, const char *operand, const char **clause)
{
	const struct cursor_place *p = &k->place;
	const char *before, *text;

	if (a == IN_FUNCTION || a == WITH_PARAMETERS)
		return !p->specs && p->body && p->stmt
			? make_function_program(k, a, operand, clause)
			: NULL;
	if (a != OUTSIDE && !p->specs)
		return NULL;
	if (a == OUTSIDE) {
		before = p->specs ? "" : copy(k, p->text, p->item ? p->item : p->cursor);
		text = arena_printf(k->arena, "%s\n%s{%s;}", before, NO_CLAUSE, operand);
		*clause = text + strlen(before) + 1;
		return text;
	}
	if (a == WITH_STATEMENTS) {
		before = copy(k, p->text, p->item);
		text = arena_printf(k->arena, "%s%s{%s\n%s;%s", before, copy(k, p->item, p->specs),
			p->stmt ? copy(k, p->body, p->stmt) : "", operand,
			p->stmt ? p->closing : "}");
		*clause = text + strlen(before);
		return text;
	}
	*clause = text = arena_printf(k->arena, "%s{%s;}", copy(k, p->item, p->specs), operand);
	return text;
}

static const struct sema_clause *try_program(
	struct completing *k, enum completing_attempt a, const char *operand)
{
	const char *clause, *text = make_program(k, a, operand, &clause);
	struct compile_input in = {.spec = SPEC_NAME, .name0 = "dtrace"};
	const struct sema_session *s = sema_session(k->c->sema);
	uint32_t before = s->clauses.len;

	if (!text)
		return NULL;
	in.name = in.text = text;
	in.len = strlen(text);
	compile_incomplete(k->c, &in);
	if (s->clauses.len == before || vec_last(&s->clauses)->ast->text != clause)
		return NULL;
	return vec_last(&s->clauses);
}

void complete_check_before(struct completing *k)
{
	if (!try_program(k, WITH_STATEMENTS, "0") && !try_program(k, IN_FUNCTION, "0") &&
		!try_program(k, WITH_PARAMETERS, "0"))
		try_program(k, OUTSIDE, "0");
}

const struct sema_clause *complete_check_clause_before(struct completing *k)
{
	return try_program(k, ALONE, "0");
}

/* Returns the expression of the innermost last statement. */
static const struct expr *last_expression(const stmt_vec *v)
{
	const struct stmt *st;

	if (!v->len)
		return NULL;
	st = &vec_last(v);
	if (st->kind == STMT_EXPR)
		return st->expr;
	return last_expression(st->orelse.len ? &st->orelse : &st->body);
}

const struct type *operand_type(struct completing *k, uint32_t n)
{
	const struct cursor_place *p = &k->place;
	uint32_t first = place_operand(p, n);
	const struct sema_clause *c = NULL;
	const struct expr *e;
	const char *operand;

	if (first == n)
		return NULL;
	operand = copy(k, p->tokens.data[first].start,
		p->tokens.data[n - 1].start + p->tokens.data[n - 1].len);
	for (enum completing_attempt a = 0; !c && a < ATTEMPTS; a++)
		c = try_program(k, a, operand);
	e = c ? last_expression(&c->ast->stmts) : NULL;
	return e ? e->type : NULL;
}
