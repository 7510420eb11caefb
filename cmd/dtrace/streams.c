// SPDX-License-Identifier: Apache-2.0
/* Opens the outputs that -o and --output name. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

struct known {
	const char *name;
	bool found;
};

static void match_format(void *arg, const char *name, const char *help)
{
	struct known *k = arg;

	(void)help;
	k->found |= !strcmp(name, k->name);
}

static void list(void *arg, const char *name, const char *help)
{
	(void)help;
	fprintf(arg, " %s", name);
}

static int unknown_format(const char *name)
{
	fprintf(stderr, "%s: --output=%s: no such format; there are", message_name(), name);
	dtrace_format_each(list, stderr);
	fputc('\n', stderr);
	return STATUS_USAGE;
}

/* True if an earlier output goes to the same file as NEW, or both are text. */
static bool is_taken(const struct session *s, const struct output_stream *new)
{
	for (int i = 0; i < s->nstreams; i++) {
		const char *file = s->streams[i].file;

		if (file ? new->file && !strcmp(file, new->file) : !new->file)
			return true;
		if (!strcmp(s->streams[i].format, "text") && !strcmp(new->format, "text"))
			return true;
	}
	return false;
}

int streams_add(struct session *s, char *arg)
{
	char *colon = strchr(arg, ':');
	struct output_stream new = {.format = arg, .file = colon ? colon + 1 : NULL};
	struct known k = {arg, false};

	if (colon)
		*colon = '\0';
	dtrace_format_each(match_format, &k);
	if (!k.found)
		return unknown_format(arg);
	if (colon && !*new.file) {
		message_line("--output=%s: there is no file name after the colon", arg);
		return STATUS_USAGE;
	}
	if (!colon) /* not to the place of the text */
		new.file = dtrace_format_address(arg);
	if (is_taken(s, &new)) {
		message_line(
			"--output=%s: another output goes to the same place, or is text, too", arg);
		return STATUS_USAGE;
	}
	s->streams[s->nstreams++] = new;
	return STATUS_OK;
}

static int open_file(const char *name, FILE **out)
{
	int hold = output_await(name);

	*out = fopen(name, "ae");
	output_awaited(hold);
	if (*out)
		return STATUS_OK;
	message_line("failed to open output file '%s': %s", name, strerror(errno));
	return STATUS_ERROR;
}

/* Opens ST's file and notes what streams_undo() needs. */
static int open_stream(struct output_stream *st)
{
	struct stat was;

	st->is_new = stat(st->file, &was) != 0;
	st->before = st->is_new ? 0 : S_ISREG(was.st_mode) ? (long)was.st_size : -1;
	return open_file(st->file, &st->out);
}

/*
 * True if A and B are the same file, pipe or terminal, whatever their names.  /dev/null can be used
 * twice.
 */
static bool same_place(FILE *a, FILE *b)
{
	struct stat x, y, null;

	return !fstat(fileno(a), &x) && !fstat(fileno(b), &y) && x.st_dev == y.st_dev &&
		x.st_ino == y.st_ino &&
		(stat("/dev/null", &null) || !S_ISCHR(x.st_mode) || x.st_rdev != null.st_rdev);
}

/* True if the file of output I is that of an earlier one. */
static bool is_shared(const struct session *s, int i)
{
	for (int k = 0; k < i; k++) {
		FILE *other = s->streams[k].file ? s->streams[k].out : s->out;

		if (other && same_place(other, s->streams[i].file ? s->streams[i].out : s->out))
			return true;
	}
	return false;
}

/* True after opening a file that is written as a whole; *STATUS is the exit status. */
static bool add_whole(struct session *s, const struct output_stream *st, int *status)
{
	int hold = output_await(st->file);
	int err = dtrace_output_file(s->d, st->format, st->file);

	output_awaited(hold);
	if (err == -EOPNOTSUPP)
		return false;
	if (err) {
		message_line("%s", dtrace_session_error(s->d));
		*status = STATUS_ERROR;
	}
	return true;
}

static int add_output(struct session *s, const char *format, FILE *out)
{
	if (!dtrace_output_add(s->d, format, out))
		return STATUS_OK;
	message_line("%s", dtrace_session_error(s->d));
	return STATUS_ERROR;
}

int streams_open(struct session *s)
{
	int status = STATUS_OK;

	if (s->output) {
		FILE *out;

		if (open_file(s->output, &out))
			return STATUS_ERROR;
		s->out = out;
		dtrace_option_set(s->d, "termsafe", "off");
	}
	streams_fit(s);
	if (s->buffered)
		return buffered_open(s) ? STATUS_ERROR : STATUS_OK;
	if (!s->nstreams)
		return add_output(s, "text", s->out);
	for (int i = 0; i < s->nstreams && !status; i++) {
		struct output_stream *st = &s->streams[i];

		if (st->file && add_whole(s, st, &status))
			continue;
		if (st->file)
			status = open_stream(st);
		if (!status && is_shared(s, i)) {
			message_line(
				"--output=%s: another output goes to the same place", st->format);
			status = STATUS_ERROR;
		}
		if (!status)
			status = add_output(s, st->format, st->file ? st->out : s->out);
	}
	return status;
}

void streams_fit(struct session *s)
{
	struct winsize size;
	char text[16];
	int64_t now;

	/* setopt(), -x or a pragma have the last word */
	if (s->out != stdout || dtrace_option_get(s->d, "width", &now) ||
		(s->width ? now != s->width : now >= 0))
		return;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col || size.ws_col == now)
		return;
	snprintf(text, sizeof(text), "%d", size.ws_col);
	if (!dtrace_option_set(s->d, "width", text))
		s->width = size.ws_col;
}

int streams_port(const char *arg, uint16_t *port)
{
	unsigned long n = 0;
	char *end;

	if (arg) {
		errno = 0;
		n = strtoul(arg, &end, 10);
		if (*end || end == arg || errno || *arg == '-' || n > UINT16_MAX) {
			message_line("--web=%s: a port is a number up to 65535", arg);
			return STATUS_USAGE;
		}
	}
	*port = (uint16_t)n;
	return STATUS_OK;
}

int streams_web(struct session *s, const char *arg)
{
	const char *address;
	uint16_t port;
	int status = streams_port(arg, &port);

	if (status)
		return status;
	if (dtrace_web(s->d, port, &address)) {
		message_line("%s", dtrace_session_error(s->d));
		return STATUS_ERROR;
	}
	message_line("open %s", address);
	return STATUS_OK;
}

int streams_flush(struct session *s, const char **name)
{
	for (int i = 0; i < s->nstreams; i++) {
		const struct output_stream *st = &s->streams[i];

		if (!st->out || (!fflush(st->out) && !ferror(st->out)))
			continue;
		clearerr(st->out);
		*name = st->file;
		return errno ? errno : EIO;
	}
	return 0;
}

void streams_undo(struct session *s)
{
	for (int i = 0; i < s->nstreams; i++) {
		const struct output_stream *st = &s->streams[i];

		if (!st->out || st->before < 0)
			continue;
		fflush(st->out);
		if (st->is_new)
			unlink(st->file);
		else if (ftruncate(fileno(st->out), st->before))
			message_line("failed to shorten %s: %s", st->file, strerror(errno));
	}
}

static int close_file(FILE *f, const char *name)
{
	if (!fclose(f))
		return STATUS_OK;
	message_line("failed to write to %s: %s", name, strerror(errno));
	return STATUS_ERROR;
}

int streams_close(struct session *s)
{
	int status = STATUS_OK;

	for (int i = 0; i < s->nstreams; i++)
		if (s->streams[i].out)
			status |= close_file(s->streams[i].out, s->streams[i].file);
	if (s->out != stdout)
		status |= close_file(s->out, s->output);
	return status;
}
