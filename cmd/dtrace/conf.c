// SPDX-License-Identifier: Apache-2.0
/* Reads /etc/dtrace.conf, the limits for users other than root; docs/dtrace.conf.5 describes it. */
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
	unsigned number;
	bool in_limits; /* the section [limits] has begun */
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

static int read_section(struct conf *c, const char *name)
{
	c->in_limits = !strcmp(name, "[limits]");
	return c->in_limits ? STATUS_OK : refuse(c, "there is no section ", name);
}

static int read_key(struct conf *c, char *line)
{
	char *value = strchr(line, '='), *name;
	const char *hint;

	if (!value)
		return refuse(c, "expected KEY = VALUE or [SECTION]: ", line);
	*value++ = '\0';
	name = trim(line);
	if (!c->in_limits)
		return refuse(c, "a section has to come first: [limits]", "");
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

static int read_lines(struct dtrace *d, FILE *in)
{
	struct conf c = {.d = d};
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

int conf_read(struct dtrace *d)
{
	const char *why;
	struct stat st;
	int fd, status;
	FILE *in;

	if (!getuid())
		return STATUS_OK;
	fd = open(DTRACE_CONF, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENOENT)
		return STATUS_OK;
	why = fd < 0 || fstat(fd, &st) ? strerror(errno) : distrusted(&st);
	in = why ? NULL : fdopen(fd, "r");
	if (!in) {
		message_line("failed to read %s: %s", DTRACE_CONF, why ? why : strerror(errno));
		if (fd >= 0)
			close(fd);
		return STATUS_ERROR;
	}
	status = read_lines(d, in);
	fclose(in);
	return status;
}
