// SPDX-License-Identifier: Apache-2.0
/*
 * The lines between the Java agent and dtrace.
 *
 * They use no stream of stdio: exit(3) and fflush(NULL) of the program wait for the lock of each
 * stream, and a thread that waits for a line in getline(3) holds one.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent.h"
#include "wire.h"

void wire_send(struct wire *w)
{
	size_t done = 0;

	while (done < w->nsaid) {
		ssize_t n = send(w->fd, w->said + done, w->nsaid - done, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	w->nsaid = 0;
}

void wire_say(struct wire *w, const char *format, ...)
{
	char line[AGENT_LINE_MOST + 2];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(line))
		return;
	for (size_t at = 0, part; at < (size_t)n; at += part) {
		part = sizeof(w->said) - w->nsaid;
		if (part > (size_t)n - at)
			part = (size_t)n - at;
		memcpy(w->said + w->nsaid, line + at, part);
		w->nsaid += part;
		if (w->nsaid == sizeof(w->said))
			wire_send(w);
	}
}

/* Makes room for more bytes of the next line; false: there is no memory. */
static bool make_room(struct wire *w)
{
	size_t cap = w->cap ? 2 * w->cap : 4096;
	char *text;

	if (w->line)
		memmove(w->text, w->text + w->line, w->n);
	w->line = 0;
	if (w->n < w->cap)
		return true;
	text = realloc(w->text, cap);
	if (!text)
		return false;
	w->text = text;
	w->cap = cap;
	return true;
}

char *wire_hear(struct wire *w)
{
	for (;;) {
		char *line = w->n ? w->text + w->line : NULL;
		char *end = line ? memchr(line, '\n', w->n) : NULL;
		ssize_t n;

		if (end) {
			size_t size = (size_t)(end + 1 - line);

			*end = '\0';
			w->line += size;
			w->n -= size;
			return line;
		}
		if (!make_room(w))
			return NULL;
		do
			n = read(w->fd, w->text + w->n, w->cap - w->n);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			return NULL;
		w->n += (size_t)n;
	}
}
