/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_wire: lines to and from the agent in a Java VM, with limits to time and memory.
 *
 * The other side may be hostile: it sends a byte a second, a line without an end, or reads nothing.
 */
#ifndef MANAGED_JAVA_WIRE_H
#define MANAGED_JAVA_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#define JAVA_NSEC_PER_MS 1000000ULL

/* How long somebody waits. */
struct java_patience {
	uint64_t end;		 /* java_now() */
	bool (*over)(void *arg); /* true: nobody waits any more; NULL: somebody does */
	void *arg;
};

/* Returns the time, in nanoseconds. */
uint64_t java_now(void);

/* Waits until FD has some of EVENTS (poll(2)).  0; -ETIMEDOUT; -EINTR: nobody waits any more. */
int java_wait(int fd, short events, const struct java_patience *p);

/* The same for nothing but MS milliseconds. */
int java_pause(unsigned ms, const struct java_patience *p);

/* Reads to TEXT, SIZE bytes, what comes from FD until its end, and adds a NUL; drops what has no
 * room.  0 or -errno. */
int java_read_all(int fd, char *text, size_t size, const struct java_patience *p);

/* Writes all of DATA to FD, which need not be ready.  0 or -errno. */
int java_write_all(int fd, const char *data, size_t len, const struct java_patience *p);

struct java_wire {
	int fd;		/* does not block; -1: there is none.  Owned */
	struct buf out; /* lines that are not yet sent */
	char *in;
	size_t from, to; /* what is not yet read of IN */
};

void java_wire_close(struct java_wire *w);

/* Adds text to what java_wire_send() sends. */
void java_wire_add(struct java_wire *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* 0 or -errno. */
int java_wire_send(struct java_wire *w, const struct java_patience *p);

/*
 * Reads a line, without its end and valid until the next call, to *LINE.  0; -EPIPE: the other side
 * has closed; -EMSGSIZE: it is longer than AGENT_LINE_MOST; -EBADMSG: it has a NUL; java_wait()'s
 * errors, -ENOMEM or another errno.
 */
int java_wire_line(struct java_wire *w, char **line, const struct java_patience *p);

#endif
