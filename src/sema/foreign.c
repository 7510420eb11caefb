// SPDX-License-Identifier: Apache-2.0
/* Finds what D has in place of the spellings of other tracers. */
#include "sema/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

struct pair {
	const char *name, *ours;
};

static const struct pair variables[] = {
#define FOREIGN_VARIABLE(name, ours) {name, ours},
#include "sema/foreign.def"
};

static const struct pair providers[] = {
#define FOREIGN_PROVIDER(name, ours) {name, ours},
#include "sema/foreign.def"
};

static const struct pair functions[] = {
#define FOREIGN_FUNCTION(name, ours) {name, ours},
#include "sema/foreign.def"
};

/* What the parts after the kind become. */
enum form {
	FORM_ENTRY,  /* [MODULE:]FUNCTION of the kernel */
	FORM_RETURN, /* the same */
	FORM_TRACEPOINT,
	FORM_RAW_TRACEPOINT,
	FORM_USER_ENTRY,  /* PATH:FUNCTION */
	FORM_USER_RETURN, /* the same */
	FORM_STATIC,	  /* PATH:[PROVIDER:]NAME */
	FORM_TICK,	  /* UNIT:NUMBER, or NUMBER and UNIT */
	FORM_PROFILE,	  /* the same */
	FORM_COUNTER,	  /* EVENT:NUMBER */
};

static const struct {
	const char *word, *abbreviation;
	enum form form;
} kinds[] = {
#define FOREIGN_PROBE(word, abbreviation, form) {word, abbreviation, form},
#include "sema/foreign.def"
};

static const char *ours(const struct pair *p, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(p[i].name, name))
			return p[i].ours;
	return NULL;
}

const char *foreign_variable(const char *name)
{
	return ours(variables, sizeof(variables) / sizeof(variables[0]), name);
}

const char *foreign_provider(const char *name)
{
	size_t len = strlen(name);

	while (len && (isdigit((unsigned char)name[len - 1]) || name[len - 1] == '*'))
		len--;
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (strlen(providers[i].name) == len && !strncmp(providers[i].name, name, len))
			return providers[i].ours;
	return NULL;
}

const char *foreign_function(const char *name)
{
	return ours(functions, sizeof(functions) / sizeof(functions[0]), name);
}

/* ---- probes ---- */

#define MOST_PARTS 4

/* KIND:PART:... */
struct foreign {
	const char *kind;
	const char *part[MOST_PARTS - 1]; /* "" where there is none */
	unsigned n;			  /* parts after the kind */
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The tracepoints of system calls are probes of their own provider. */
static const char *tracepoint(struct arena *a, const struct foreign *f)
{
	const char *event = f->part[1];

	if (strcmp(f->part[0], "syscalls"))
		return arena_printf(a, "sdt:%s::%s", f->part[0], event);
	if (!strncmp(event, "sys_enter_", 10))
		return arena_printf(a, "syscall::%s:entry", event + 10);
	if (!strncmp(event, "sys_exit_", 9))
		return arena_printf(a, "syscall::%s:return", event + 9);
	return "syscall:::";
}

/* "s:1" and "1s" are 1s; profile-99 has no unit. */
static const char *timer(struct arena *a, const struct foreign *f, const char *name)
{
	const char *unit = f->n == 2 ? f->part[0] : "", *number = f->part[f->n - 1];

	if (!isdigit((unsigned char)*number))
		return NULL;
	if (!strcmp(unit, "hz") && strcmp(name, "tick"))
		unit = "";
	return arena_printf(a, "%s-%s%s", name, number, unit);
}

static const char *counter(struct arena *a, const struct foreign *f)
{
	char *event = arena_strdup(a, f->part[0]);

	for (char *p = event; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return arena_printf(
		a, "cpc:::%s-all-%s", event, f->n > 1 && *f->part[1] ? f->part[1] : "10000");
}

static const char *user_probe(struct arena *a, const struct foreign *f, const char *name)
{
	return arena_printf(a, "pid$target:%s:%s:%s with -c or -p", base_name(f->part[0]),
		f->part[f->n - 1], name);
}

static const char *static_probe(struct arena *a, const struct foreign *f)
{
	if (f->n == 3)
		return arena_printf(a, "%s*:::%s", f->part[1], f->part[2]);
	return arena_printf(a, "*:%s::%s", base_name(f->part[0]), f->part[1]);
}

static const char *kernel_probe(struct arena *a, const struct foreign *f, const char *name)
{
	const char *mod = f->n == 2 ? f->part[0] : "";

	return arena_printf(a, "fbt:%s:%s:%s", mod, f->part[f->n - 1], name);
}

static const char *translate(struct arena *a, const struct foreign *f, enum form form)
{
	bool two = f->n >= 2;

	if (!f->n || !*f->part[f->n - 1])
		return NULL;
	switch (form) {
	case FORM_ENTRY:
		return f->n <= 2 ? kernel_probe(a, f, "entry") : NULL;
	case FORM_RETURN:
		return f->n <= 2 ? kernel_probe(a, f, "return") : NULL;
	case FORM_TRACEPOINT:
		return f->n == 2 ? tracepoint(a, f) : NULL;
	case FORM_RAW_TRACEPOINT:
		return arena_printf(a, "rawtp:::%s", f->part[f->n - 1]);
	case FORM_USER_ENTRY:
		return two ? user_probe(a, f, "entry") : NULL;
	case FORM_USER_RETURN:
		return two ? user_probe(a, f, "return") : NULL;
	case FORM_STATIC:
		return two ? static_probe(a, f) : NULL;
	case FORM_TICK:
		return f->n <= 2 ? timer(a, f, "tick") : NULL;
	case FORM_PROFILE:
		return f->n <= 2 ? timer(a, f, "profile") : NULL;
	case FORM_COUNTER:
		return f->n <= 2 ? counter(a, f) : NULL;
	}
	return NULL;
}

/* Splits the description that TEXT begins with at its colons; false: there are too many. */
static bool split(struct arena *a, const char *text, struct foreign *f)
{
	size_t len = strcspn(text, " \t\n\r{,;");
	char *part = arena_strndup(a, text, len);

	*f = (struct foreign){.kind = part, .part = {"", "", ""}};
	while ((part = strchr(part, ':'))) {
		if (f->n == MOST_PARTS - 1)
			return false;
		*part++ = '\0';
		f->part[f->n++] = part;
	}
	return true;
}

const char *foreign_probe(struct arena *a, const char *text)
{
	struct foreign f;

	text += strspn(text, " \t\n\r");
	if (!split(a, text, &f))
		return NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(f.kind, kinds[i].word) || !strcmp(f.kind, kinds[i].abbreviation))
			return translate(a, &f, kinds[i].form);
	return NULL;
}
