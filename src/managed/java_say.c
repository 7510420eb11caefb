// SPDX-License-Identifier: Apache-2.0
/* Reads what a Java VM and the agent in it say. */
#include "managed/java_say.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "managed/java_agent/agent.h"

/* ---- descriptors ---- */

#define MAX_DIMENSIONS 255
#define MAX_ARGUMENTS  255

/* The end of the type at D; NULL: there is none. */
static const char *end_of_type(const char *d)
{
	size_t dims = strspn(d, "[");

	if (dims > MAX_DIMENSIONS)
		return NULL;
	d += dims;
	if (*d != 'L')
		return *d && strchr("BCDFIJSZ", *d) ? d + 1 : NULL;
	d += 1 + strcspn(d + 1, ";[");
	return *d == ';' && d[-1] != 'L' ? d + 1 : NULL;
}

bool java_desc_valid(const char *desc)
{
	const char *d = desc + 1;

	if (*desc != '(')
		return false;
	for (int n = 0; *d != ')'; n++) {
		d = end_of_type(d);
		if (!d || n == MAX_ARGUMENTS)
			return false;
	}
	d++;
	d = *d == 'V' ? d + 1 : end_of_type(d);
	return d && !*d;
}

const char *java_desc_next(const char *d)
{
	d += strspn(d, "[");
	return *d == 'L' ? strchr(d, ';') + 1 : d + 1;
}

const char *java_desc_return(const char *desc)
{
	const char *d = desc + 1;

	while (*d != ')')
		d = java_desc_next(d);
	return d + 1;
}

/* ---- lines ---- */

#define WORDS 8

static bool read_number(const char *word, unsigned *n)
{
	char *end;
	unsigned long v;

	if (!*word || word[strspn(word, "0123456789")])
		return false;
	errno = 0;
	v = strtoul(word, &end, 10);
	*n = (unsigned)v;
	return !errno && v <= UINT_MAX;
}

bool java_read_method(char *line, struct java_method *m)
{
	char *word[WORDS], *rest = line;

	for (int i = 0; i < WORDS; i++) {
		word[i] = i < WORDS - 1 ? strsep(&rest, " ") : rest;
		if (!word[i] || !*word[i])
			return false;
	}
	*m = (struct java_method){.is_static = *word[2] == '1',
		.class = word[4],
		.name = word[5],
		.desc = word[6],
		.file = strcmp(word[7], AGENT_NO_FILE) ? word[7] : NULL};
	return !strcmp(word[0], "M") && read_number(word[1], &m->index) &&
		read_number(word[3], &m->line) && java_desc_valid(m->desc);
}

/* ---- the VM's answer ---- */

static const char *const refusals[] = {
	[AGENT_OPTIONS] = "it does not know its options",
	[AGENT_EVENTS] = "it may not change classes",
	[AGENT_CONNECTIONS] =
		"it cannot connect to dtrace (are descriptors or memory short there?)",
	[AGENT_THREAD] = "it cannot start a thread",
};

/* A status, and "return code: N" or what is wrong. */
const char *java_read_answer(char *text)
{
	static const char code[] = "return code: ";
	char *found = strstr(text, code), *rest;
	unsigned why = 0;

	if (found) {
		found += strlen(code);
		found[strspn(found, "0123456789")] = '\0';
		if (!read_number(found, &why))
			return "it returns no number";
	}
	if (!strncmp(text, "0\n", 2) && found && why == AGENT_RUNS)
		return NULL;
	if (why < sizeof(refusals) / sizeof(*refusals) && refusals[why])
		return refusals[why];
	rest = strchr(text, '\n');
	rest = rest && rest[1] ? rest + 1 : text;
	rest[strcspn(rest, "\n")] = '\0';
	return *rest ? rest : "no answer";
}
