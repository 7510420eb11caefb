// SPDX-License-Identifier: Apache-2.0
/*
 * Speaks as a Java VM and as the agent in it.  The first byte chooses: 'A', the VM's answer to
 * "load"; 'D', a descriptor; any other, the agent's lines, which come through a socket in the
 * pieces that this byte says.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "managed/java_agent/agent.h"
#include "managed/java_say.h"
#include "managed/java_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SECONDS 10 /* for all lines */

/* Reads all types of DESC; aborts where one is outside of it. */
static void check_descriptor(const char *desc)
{
	const char *end = desc + strlen(desc), *d;
	unsigned n = 0;

	if (!java_desc_valid(desc))
		return;
	for (d = desc + 1; *d != ')'; n++) {
		const char *next = java_desc_next(d);

		if (next <= d || next >= end || !strchr("BCDFIJSZL", d[strspn(d, "[")]))
			abort();
		d = next;
	}
	d = java_desc_return(desc);
	if (n > 255 || d >= end || d[-1] != ')' || java_desc_next(d) != end)
		abort();
}

static void check_line(char *line, size_t most)
{
	struct java_method m;

	if (strlen(line) > most)
		abort();
	if (!java_read_method(line, &m))
		return;
	if (!*m.class || !*m.name || (m.file && !*m.file) || strchr(m.class, ' ') ||
		strchr(m.name, ' ') || !java_desc_valid(m.desc))
		abort();
	check_descriptor(m.desc);
}

/* The side of the agent. */
struct sender {
	int fd;
	const uint8_t *data;
	size_t size, piece;
};

/* java_patience's: sends a piece each time that the reader is about to wait, and closes in the end.
 */
static bool send_piece(void *arg)
{
	struct sender *s = arg;
	ssize_t n;

	if (s->fd < 0)
		return false;
	n = send(s->fd, s->data, s->size < s->piece ? s->size : s->piece,
		MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n > 0) {
		s->data += n;
		s->size -= (size_t)n;
	}
	if (!s->size) {
		close(s->fd);
		s->fd = -1;
	}
	return false;
}

static void read_lines(const uint8_t *data, size_t size, size_t piece)
{
	int ends[2], err;
	struct java_wire w = {.fd = -1};
	struct sender s = {.data = data, .size = size, .piece = piece};
	struct java_patience p = {java_now() + SECONDS * 1000 * JAVA_NSEC_PER_MS, send_piece, &s};
	char *line;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
		abort();
	w.fd = ends[0];
	s.fd = ends[1];
	while (!(err = java_wire_line(&w, &line, &p)))
		check_line(line, AGENT_LINE_MOST);
	if (err != -EPIPE && err != -EMSGSIZE && err != -EBADMSG)
		abort(); /* the end must be seen */
	if (s.fd >= 0)
		close(s.fd);
	java_wire_close(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1); /* of its size, so that a read after it is seen */
	const char *reason;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (*text == 'A') {
		reason = java_read_answer(text + 1);
		if (reason && (!*reason || strchr(reason, '\n')))
			abort();
	} else if (*text == 'D') {
		check_descriptor(text + 1);
	} else if (size) {
		read_lines(data + 1, size - 1, 1 + 37 * (size_t)data[0]);
	}
	free(text);
	return 0;
}
