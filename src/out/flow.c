// SPDX-License-Identifier: Apache-2.0
/* Prints the arrows and the indentation of option flowindent. */
#include <errno.h>
#include <string.h>

#include "consume/event.h"
#include "out/print.h"
#include "probe/probe.h"

#define STEP 2

/* The state of a CPU's indentation. */
struct flow_cpu {
	uint32_t indent;
	uint32_t probe, clause; /* of the last record */
	bool any;
};

enum flow_kind { FLOW_NONE, FLOW_ENTRY, FLOW_RETURN };

static bool is_named(const char *name, const char *what)
{
	size_t len = strlen(name), n = strlen(what);

	if (len == n)
		return !strcmp(name, what);
	return len > n && name[len - n - 1] == '-' && !strcmp(name + len - n, what);
}

static enum flow_kind classify(const struct flow_cpu *c, const struct event *ev)
{
	if (ev->continued)
		return FLOW_NONE;
	if (is_named(ev->probe->name, "return"))
		return FLOW_RETURN;
	if (!is_named(ev->probe->name, "entry"))
		return FLOW_NONE;
	/* a further clause of an entry probe does not enter again */
	if (c->any && c->probe == ev->probe->id && c->clause != ev->desc->clause)
		return FLOW_NONE;
	return FLOW_ENTRY;
}

static struct flow_cpu *cpu_state(struct flow *f, uint32_t cpu)
{
	return heapvec_extend(&f->cpus, (uint64_t)cpu + 1) ? NULL : &f->cpus.data[cpu];
}

int flow_text(struct flow *f, const struct event *ev, struct buf *out)
{
	const struct probe *p = ev->probe;
	bool syscall = !strcmp(p->prov, "syscall");
	struct flow_cpu *c = cpu_state(f, ev->cpu);
	enum flow_kind kind;

	if (!c)
		return -ENOMEM;
	kind = classify(c, ev);
	if (kind == FLOW_RETURN)
		c->indent = c->indent > STEP ? c->indent - STEP : 0;
	buf_printf(out, "%*s", (int)c->indent, "");
	switch (kind) {
	case FLOW_ENTRY:
		buf_printf(out, " %s %s", syscall ? "=>" : "->", p->func);
		c->indent += STEP;
		break;
	case FLOW_RETURN:
		buf_printf(out, " %s %s", syscall ? "<=" : "<-", p->func);
		break;
	case FLOW_NONE:
		buf_printf(out, "| %s:%s", p->func, p->name);
		break;
	}
	c->probe = p->id;
	c->clause = ev->desc->clause;
	c->any = true;
	return 0;
}

void flow_free(struct flow *f)
{
	heapvec_free(&f->cpus);
	*f = (struct flow){0};
}
