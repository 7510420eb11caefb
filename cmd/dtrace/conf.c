// SPDX-License-Identifier: Apache-2.0
/* Reads /etc/dtrace.conf: limits for users other than root, and what --agent may run;
 * docs/dtrace.conf.5 describes it. */
#include <ctype.h>
#include <dtrace/dtrace.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* The line that is being read. */
struct conf {
	struct dtrace *d;
	struct dtrace_agent *agent; /* receives the sections other than [limits] */
	unsigned number;
	bool in_section, in_limits; /* a section has begun; it is [limits] */
	char where[sizeof(DTRACE_CONF) + 16];
};

static int refuse(const struct conf *c, const char *what, const char *text)
{
	message_line("%s: %s%s", c->where, what, text);
	return STATUS_ERROR;
}

/* Returns TEXT without blanks at both ends. */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

static int read_section(struct conf *c, char *line)
{
	size_t len = strlen(line);

	if (line[len - 1] != ']')
		return refuse(c, "there is no section ", line);
	line[len - 1] = '\0';
	c->in_section = true;
	c->in_limits = !strcmp(line + 1, "limits");
	if (c->in_limits || !dtrace_agent_section(c->agent, trim(line + 1), c->where))
		return STATUS_OK;
	return refuse(c, dtrace_agent_error(c->agent), "");
}

static int read_key(struct conf *c, char *line)
{
	char *value = strchr(line, '='), *name;
	const char *hint;

	if (!value)
		return refuse(c, "expected KEY = VALUE or [SECTION]: ", line);
	*value++ = '\0';
	name = trim(line);
	if (!c->in_section)
		return refuse(c, "a section has to come first: [limits]", "");
	if (!c->in_limits) {
		if (!dtrace_agent_set(c->agent, name, trim(value), c->where))
			return STATUS_OK;
		return refuse(c, dtrace_agent_error(c->agent), "");
	}
	if (!dtrace_limit_set(c->d, name, trim(value), c->where))
		return STATUS_OK;
	hint = dtrace_session_hint(c->d);
	message_line("%s: %s%s%s", c->where, dtrace_session_error(c->d), hint ? "; " : "",
		hint ? hint : "");
	return STATUS_ERROR;
}

static int read_line(struct conf *c, char *line, size_t len)
{
	snprintf(c->where, sizeof(c->where), "%s:%u", DTRACE_CONF, ++c->number);
	if (strlen(line) != len)
		return refuse(c, "a NUL character", "");
	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (!*line)
		return STATUS_OK;
	return *line == '[' ? read_section(c, line) : read_key(c, line);
}

static int read_lines(struct dtrace *d, struct dtrace_agent *a, FILE *in)
{
	struct conf c = {.d = d, .agent = a};
	int status = STATUS_OK;
	size_t room = 0;
	char *line = NULL;
	ssize_t len;

	while (!status && (len = getline(&line, &room, in)) >= 0)
		status = read_line(&c, line, (size_t)len);
	free(line);
	if (!status && ferror(in)) {
		message_line("failed to read %s: %s", DTRACE_CONF, strerror(errno));
		status = STATUS_ERROR;
	}
	return status;
}

/* Returns what is wrong with a file that others than root can change; NULL: nothing. */
static const char *distrusted(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return "it is not a regular file";
	if (st->st_uid)
		return "it does not belong to root";
	return st->st_mode & (S_IWGRP | S_IWOTH) ? "others than root may write to it" : NULL;
}

static int read_file(struct dtrace *d, struct dtrace_agent *a, bool required)
{
	const char *why;
	struct stat st;
	int fd, status;
	FILE *in;

	fd = open(DTRACE_CONF, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENOENT && !required)
		return STATUS_OK;
	why = fd < 0 || fstat(fd, &st) ? strerror(errno) : distrusted(&st);
	in = why ? NULL : fdopen(fd, "r");
	if (!in) {
		message_line("failed to read %s: %s", DTRACE_CONF, why ? why : strerror(errno));
		if (fd >= 0)
			close(fd);
		return STATUS_ERROR;
	}
	status = read_lines(d, a, in);
	fclose(in);
	return status;
}

int conf_read_agent(struct dtrace *d, struct dtrace_agent *a)
{
	return read_file(d, a, true);
}

int conf_read(struct dtrace *d)
{
	struct dtrace_agent *a;
	int status;

	if (!getuid())
		return STATUS_OK;
	a = dtrace_agent_new(); /* an error in its sections is one for all */
	if (!a) {
		message_line("failed to read %s: %s", DTRACE_CONF, strerror(ENOMEM));
		return STATUS_ERROR;
	}
	status = read_file(d, a, false);
	dtrace_agent_free(a);
	return status;
}
