// SPDX-License-Identifier: Apache-2.0
/* Walks over typed clauses. */
#include "lang/ast.h"
#include "sema/typed.h"

bool sema_any_expr(const struct expr *e, sema_visit_fn visit, sema_visit_stmt_fn each, void *arg)
{
	bool inlined;

	if (!e)
		return false;
	if (visit(arg, e))
		return true;
	if (sema_any_expr(e->a, visit, each, arg) || sema_any_expr(e->b, visit, each, arg) ||
		sema_any_expr(e->c, visit, each, arg))
		return true;
	/* a D function's arguments are assigned to its parameters by its first statements */
	inlined = e->info && e->info->ref == REF_INLINED;
	for (uint32_t i = 0; i < e->args.len && !inlined; i++)
		if (sema_any_expr(e->args.data[i], visit, each, arg))
			return true;
	if (!e->info)
		return false;
	for (uint32_t i = 0; i < e->info->xmembers.len; i++)
		if (sema_any_expr(e->info->xmembers.data[i].value, visit, each, arg))
			return true;
	return sema_any_stmt(&e->info->inlined, visit, each, arg);
}

bool sema_any_stmt(const stmt_vec *stmts, sema_visit_fn visit, sema_visit_stmt_fn each, void *arg)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct stmt *st = &stmts->data[i];

		if (each && each(arg, st))
			return true;
		if (sema_any_expr(st->init, visit, each, arg) ||
			sema_any_expr(st->expr, visit, each, arg) ||
			sema_any_expr(st->step, visit, each, arg) ||
			sema_any_stmt(&st->body, visit, each, arg) ||
			sema_any_stmt(&st->orelse, visit, each, arg))
			return true;
	}
	return false;
}
