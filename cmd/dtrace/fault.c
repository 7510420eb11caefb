// SPDX-License-Identifier: Apache-2.0
/*
 * Explains run-time faults: after the message of the first fault of a place, its source line with a
 * caret; at the end, how often each place faulted.  On a terminal equal messages are counted: the
 * first is printed at once, and the number of the others at most once a second.
 */
#include <dtrace/dtrace.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dtrace/data.h"
#include "message.h"
#include "progress.h"
#include "session.h"

/* ---- equal messages ---- */

#define FAULT_MESSAGE "error in dt_clause_" /* the beginning of the library's message */

struct repeated {
	struct repeated *next;
	char *text;	  /* of the last one */
	uint64_t more;	  /* not printed yet */
	uint64_t printed; /* when, ns */
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* True if A and B differ at most in addresses: "(0x10)". */
static bool is_same_fault(const char *a, const char *b)
{
	static const char digits[] = "0123456789abcdef";

	for (; *a && *a == *b; a++, b++) {
		if (strncmp(a, "(0x", 3) != 0 || strncmp(b, "(0x", 3) != 0)
			continue;
		a += 3 + strspn(a + 3, digits);
		b += 3 + strspn(b + 3, digits);
		if (*a != *b)
			return false;
	}
	return *a == *b;
}

static void add_message(struct session *s, const char *text)
{
	struct repeated *new = calloc(1, sizeof(*new));

	if (new)
		new->text = strdup(text);
	if (!new || !new->text) {
		free(new);
		return;
	}
	new->printed = now();
	new->next = s->repeated;
	s->repeated = new;
}

void fault_message(void *arg, const char *text)
{
	struct session *s = arg;
	struct repeated *r = s->repeated;
	char *copy;

	if (!s->count_faults || strncmp(text, FAULT_MESSAGE, strlen(FAULT_MESSAGE)) != 0) {
		progress_message(&s->progress, text);
		return;
	}
	while (r && !is_same_fault(r->text, text))
		r = r->next;
	if (!r) {
		add_message(s, text);
		progress_message(&s->progress, text);
		return;
	}
	r->more++;
	if (strcmp(r->text, text) != 0 && (copy = strdup(text))) {
		free(r->text);
		r->text = copy;
	}
}

static void print_more(struct repeated *r)
{
	message_line("%s (%ju more)", r->text, (uintmax_t)r->more);
	r->more = 0;
}

void fault_step(struct session *s)
{
	uint64_t t = s->repeated ? now() : 0;

	for (struct repeated *r = s->repeated; r; r = r->next) {
		if (!r->more || t - r->printed < 1000000000)
			continue;
		print_more(r);
		r->printed = t;
	}
}

void fault_flush(struct session *s)
{
	for (struct repeated *r = s->repeated; r; r = r->next)
		if (r->more)
			print_more(r);
}

/* ---- places ---- */

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
	struct session *s = arg;

	fault_flush(s);
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

	s->count_faults = isatty(STDERR_FILENO);
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
	while (s->repeated) {
		struct repeated *r = s->repeated;

		s->repeated = r->next;
		free(r->text);
		free(r);
	}
}
