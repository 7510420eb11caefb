// SPDX-License-Identifier: Apache-2.0
/* Makes the rows of `agents`. */
#include "agent/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "agent/conf.h"
#include "agent/slot.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "fleet/tables.h"

/* ---- arrays ---- */

static void put_element(struct buf *b, const char *text, size_t len)
{
	buf_puts(b, b->len ? ",'" : "'");
	fleet_put_escaped(b, text, len);
	buf_putc(b, '\'');
}

/* Moves the elements in LIST to B, as an array; END follows it. */
static void put_array(struct buf *b, struct buf *list, char end)
{
	buf_putc(b, '[');
	buf_put(b, list->data, list->len);
	buf_putc(b, ']');
	buf_putc(b, end);
	b->failed |= list->failed;
	buf_free(list);
	*list = (struct buf){0};
}

/* ---- the machine ---- */

struct findings {
	struct buf providers, features, lacks;
};

static int take_finding(void *arg, const struct dtrace_finding *f)
{
	struct findings *x = arg;
	char text[1024];

	if (f->status != DTRACE_FINDING_MISSING && f->kind == DTRACE_FINDING_PROVIDER)
		put_element(&x->providers, f->name, strlen(f->name));
	if (f->status != DTRACE_FINDING_MISSING && f->kind == DTRACE_FINDING_FEATURE)
		put_element(&x->features, f->name, strlen(f->name));
	if (f->status == DTRACE_FINDING_OK)
		return 0;
	snprintf(text, sizeof(text), "%s: %s", f->name, f->why);
	put_element(&x->lacks, text, strlen(text));
	return 0;
}

int status_examine(struct status_machine *m, const struct agent_conf *c, const char *host,
	char *problem, size_t size)
{
	struct dtrace *d = dtrace_session_open();
	struct buf *b = &m->rest, allowed = {0};
	struct findings x = {0};
	struct utsname kernel;
	int err = -ENOMEM;

	snprintf(problem, size, "%s", strerror(ENOMEM));
	if (d) {
		err = dtrace_doctor_each(d, take_finding, &x);
		if (err)
			snprintf(problem, size, "%s", dtrace_session_error(d));
		dtrace_session_close(d);
	}
	uname(&kernel);
	fleet_put_text(&m->host, host, strlen(host));
	fleet_put_text(b, dtrace_version(), strlen(dtrace_version()));
	fleet_put_text(b, kernel.release, strlen(kernel.release));
	put_array(b, &x.providers, '\t');
	put_array(b, &x.features, '\t');
	put_array(b, &x.lacks, '\t');
	vec_for (i, &c->instruments)
		put_element(&allowed, (*i)->name, strlen((*i)->name));
	put_array(b, &allowed, '\t');
	return !err && (b->failed || m->host.failed) ? -ENOMEM : err;
}

void status_free(struct status_machine *m)
{
	buf_free(&m->host);
	buf_free(&m->rest);
}

/* ---- rows ---- */

void status_put(struct buf *row, const struct status_machine *m, uint64_t run, uint64_t ms,
	struct agent_slot *const *slots, uint32_t n)
{
	struct buf ids = {0}, names = {0}, states = {0}, problems = {0};

	for (uint32_t i = 0; i < n; i++) {
		const struct agent_slot *s = slots[i];
		const char *state = slot_state_name(s->state);

		put_element(&ids, s->a.id, strlen(s->a.id));
		put_element(&names, s->a.instrument, strlen(s->a.instrument));
		put_element(&states, state, strlen(state));
		put_element(&problems, s->problem, strlen(s->problem));
	}
	buf_put(row, m->host.data, m->host.len);
	buf_printf(row, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", ms / 1000, run, ms);
	buf_put(row, m->rest.data, m->rest.len);
	put_array(row, &ids, '\t');
	put_array(row, &names, '\t');
	put_array(row, &states, '\t');
	put_array(row, &problems, '\n');
}
