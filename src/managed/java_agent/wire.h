/* SPDX-License-Identifier: Apache-2.0 */
/* wire: the lines between the Java agent and dtrace. */
#ifndef JAVA_AGENT_WIRE_H
#define JAVA_AGENT_WIRE_H

#include <stddef.h>

/* One thread uses it.  It begins as zeros with the descriptor; who closes that frees TEXT. */
struct wire {
	int fd;
	char *text;	     /* what has come, CAP bytes */
	size_t line, n, cap; /* the next line is at LINE, and N bytes have come from there on */
	char said[4096];     /* and not yet sent, NSAID bytes */
	size_t nsaid;
};

/* Adds a line, which FORMAT ends with \n, to what is sent.  One of more than AGENT_LINE_MOST bytes
 * is left out. */
void __attribute__((format(printf, 2, 3))) wire_say(struct wire *w, const char *format, ...);

/* Sends what was said.  If dtrace has ended that is lost, and wire_hear() says so. */
void wire_send(struct wire *w);

/*
 * Waits for a line and returns it without its end; it is valid until the next call.  NULL at the
 * end of the connection, or without memory.
 */
char *wire_hear(struct wire *w);

#endif
