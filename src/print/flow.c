// SPDX-License-Identifier: Apache-2.0
/* Prints the arrows and the indentation of option flowindent. */
#include <errno.h>
#include <string.h>

#include "dtrace/data.h"
#include "print/print.h"

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

static enum flow_kind classify(const struct flow_cpu *c, const struct dtrace_record *r)
{
	if (r->continued)
		return FLOW_NONE;
	if (is_named(r->probe->name, "return"))
		return FLOW_RETURN;
	if (!is_named(r->probe->name, "entry"))
		return FLOW_NONE;
	/* a further clause of an entry probe does not enter again */
	if (c->any && c->probe == r->probe->id && c->clause != r->clause)
		return FLOW_NONE;
	return FLOW_ENTRY;
}

static struct flow_cpu *cpu_state(struct flow *f, uint32_t cpu)
{
	return heapvec_extend(&f->cpus, (uint64_t)cpu + 1) ? NULL : &f->cpus.data[cpu];
}

int flow_text(struct flow *f, const struct dtrace_record *r, struct buf *out)
{
	const struct dtrace_probe *p = r->probe;
	bool syscall = !strcmp(p->provider, "syscall");
	struct flow_cpu *c = cpu_state(f, r->cpu);
	enum flow_kind kind;

	if (!c)
		return -ENOMEM;
	kind = classify(c, r);
	if (kind == FLOW_RETURN)
		c->indent = c->indent > STEP ? c->indent - STEP : 0;
	buf_printf(out, "%*s", (int)c->indent, "");
	switch (kind) {
	case FLOW_ENTRY:
		buf_printf(out, " %s %s", syscall ? "=>" : "->", p->function);
		c->indent += STEP;
		break;
	case FLOW_RETURN:
		buf_printf(out, " %s %s", syscall ? "<=" : "<-", p->function);
		break;
	case FLOW_NONE:
		buf_printf(out, "| %s:%s", p->function, p->name);
		break;
	}
	c->probe = p->id;
	c->clause = r->clause;
	c->any = true;
	return 0;
}

void flow_free(struct flow *f)
{
	heapvec_free(&f->cpus);
	*f = (struct flow){0};
}
