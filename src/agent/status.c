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
#include "fleet/row.h"

/* Moves the elements in LIST to column C of R. */
static void put_array(struct fleet_row *r, enum fleet_column c, struct buf *list)
{
	fleet_array(r, c, list->data, list->len);
	r->b->failed |= list->failed;
	buf_free(list);
}

static void put_text(struct fleet_row *r, enum fleet_column c, const char *text)
{
	fleet_text(r, c, text, strlen(text));
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
		fleet_put_element(&x->providers, f->name, strlen(f->name));
	if (f->status != DTRACE_FINDING_MISSING && f->kind == DTRACE_FINDING_FEATURE)
		fleet_put_element(&x->features, f->name, strlen(f->name));
	if (f->status == DTRACE_FINDING_OK)
		return 0;
	snprintf(text, sizeof(text), "%s: %s", f->name, f->why);
	fleet_put_element(&x->lacks, text, strlen(text));
	return 0;
}

int status_examine(struct status_machine *m, const struct agent_conf *c, const char *host,
	char *problem, size_t size)
{
	struct dtrace *d = dtrace_session_open();
	struct fleet_row r = fleet_row_from(&m->rest, FLEET_AGENTS, FLEET_AGENTS_version);
	struct buf allowed = {0};
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
	buf_puts(&m->host, host);
	put_text(&r, FLEET_AGENTS_version, dtrace_version());
	put_text(&r, FLEET_AGENTS_kernel, kernel.release);
	put_array(&r, FLEET_AGENTS_providers, &x.providers);
	put_array(&r, FLEET_AGENTS_features, &x.features);
	put_array(&r, FLEET_AGENTS_lacks, &x.lacks);
	vec_for (i, &c->instruments)
		fleet_put_element(&allowed, (*i)->name, strlen((*i)->name));
	put_array(&r, FLEET_AGENTS_allowed, &allowed);
	return !err && (m->rest.failed || m->host.failed) ? -ENOMEM : err;
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
	struct fleet_row r = fleet_row(row, FLEET_AGENTS);

	for (uint32_t i = 0; i < n; i++) {
		const struct agent_slot *s = slots[i];
		const char *state = slot_state_name(s->state);

		fleet_put_element(&ids, s->a.id, strlen(s->a.id));
		fleet_put_element(&names, s->a.instrument, strlen(s->a.instrument));
		fleet_put_element(&states, state, strlen(state));
		fleet_put_element(&problems, s->problem, strlen(s->problem));
	}
	fleet_text(&r, FLEET_AGENTS_host, m->host.data, m->host.len);
	fleet_unsigned(&r, FLEET_AGENTS_ts, ms / 1000);
	fleet_unsigned(&r, FLEET_AGENTS_run, run);
	fleet_unsigned(&r, FLEET_AGENTS_seq, ms);
	buf_put(row, m->rest.data, m->rest.len);
	r = fleet_row_from(row, FLEET_AGENTS, FLEET_AGENTS_id);
	put_array(&r, FLEET_AGENTS_id, &ids);
	put_array(&r, FLEET_AGENTS_instrument, &names);
	put_array(&r, FLEET_AGENTS_state, &states);
	put_array(&r, FLEET_AGENTS_problem, &problems);
	fleet_row_end(&r);
}
