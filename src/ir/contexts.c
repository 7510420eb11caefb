// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the contexts in which aggregations are updated: they decide which updates must be atomic.
 */
#include "ir/lower_state.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"

/* The contexts of a clause's programs. */
struct contexts {
	bool irq, task;
};

static bool mark_agg(void *arg, const struct expr *e)
{
	const struct contexts *c = arg;

	if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG) {
		e->a->info->agg->in_irq |= c->irq;
		e->a->info->agg->in_task |= c->task;
	}
	return false;
}

/*
 * True if the program of P may run where the kernel can give no memory: in interrupts, under the
 * scheduler's locks.  System calls are made by tasks.
 */
static bool may_interrupt(const struct attach_plan *p)
{
	switch (p->kind) {
	case ATTACH_BEGIN:
	case ATTACH_END:
		return false;
	default:
		return p->key_source != KEY_SYSCALL_ENTER && p->key_source != KEY_SYSCALL_EXIT &&
			p->key_source != KEY_SYSCALL_RECORD;
	}
}

void mark_contexts(struct lower_session *s)
{
	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		const struct sema_clause *c = s->sema->clauses.data[i];
		struct contexts in = {false, false};

		for (uint32_t k = 0; k < c->probes.len; k++) {
			struct attach_plan plan = {0};

			c->probes.data[k]->provider->plan(
				registry_env(s->registry), c->probes.data[k], 0, &plan);
			in.irq |= plan.kind == ATTACH_ERROR || may_interrupt(&plan);
			in.task |= !attach_is_event(plan.kind);
		}
		/* programs of user probes can be preempted */
		in.irq |= c->late != NULL;
		in.task |= c->late != NULL;
		sema_any_stmt(&c->ast->stmts, mark_agg, NULL, &in);
	}
}
