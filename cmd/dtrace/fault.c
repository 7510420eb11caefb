// SPDX-License-Identifier: Apache-2.0
/*
 * Explains run-time faults: after the message of the first fault of a place, its source line with a
 * caret; at the end, how often each place faulted.
 */
#include <dtrace/dtrace.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace/data.h"
#include "message.h"
#include "session.h"

struct place {
	struct place *next; /* in the order of their first faults */
	uint64_t count;
	unsigned line, column;
	char *file;	  /* "" for a command-line program */
	char *expression; /* "" for a statement */
};

static struct place *find_place(const struct session *s, const struct dtrace_place *p)
{
	struct place *have;

	for (have = s->faults; have; have = have->next)
		if (have->line == p->line && have->column == p->column &&
			!strcmp(have->file, p->file ? p->file : ""))
			return have;
	return NULL;
}

static void free_place(struct place *p)
{
	free(p->file);
	free(p->expression);
	free(p);
}

static struct place *add_place(struct session *s, const struct dtrace_place *p)
{
	struct place *new = calloc(1, sizeof(*new)), **end = &s->faults;

	if (!new)
		return NULL;
	new->line = p->line;
	new->column = p->column;
	new->file = strdup(p->file ? p->file : "");
	new->expression = strdup(p->expression ? p->expression : "");
	if (!new->file || !new->expression) {
		free_place(new);
		return NULL;
	}
	while (*end)
		end = &(*end)->next;
	*end = new;
	return new;
}

static int on_fault(void *arg, const struct dtrace_fault *f)
{
	struct session *s = arg;
	struct place *p = f->place ? find_place(s, f->place) : NULL;

	if (!f->place)
		return 0;
	if (!p) {
		p = add_place(s, f->place);
		if (f->place->source)
			message_source(f->place->source, f->place->column);
	}
	if (p)
		p->count++;
	return 0;
}

static int on_finish(void *arg)
{
	const struct session *s = arg;

	for (const struct place *p = s->faults; p; p = p->next)
		if (p->count > 1)
			message_line("%ju errors at %s%s%u%s%s", (uintmax_t)p->count,
				*p->file ? p->file : "line ", *p->file ? ":" : "", p->line,
				*p->expression ? ": " : "", p->expression);
	return 0;
}

int fault_open(struct session *s)
{
	const struct dtrace_consumer c = {.arg = s, .fault = on_fault, .finish = on_finish};

	if (!message_explains(s->d) || !dtrace_consumer_add(s->d, &c))
		return 0;
	message_line("%s", dtrace_session_error(s->d));
	return -1;
}

void fault_close(struct session *s)
{
	while (s->faults) {
		struct place *p = s->faults;

		s->faults = p->next;
		free_place(p);
	}
}
