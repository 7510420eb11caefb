/* SPDX-License-Identifier: Apache-2.0 */
/* holder_int: private to holder.c and holder_listen.c, the two sides of a socket. */
#ifndef TARGET_HOLDER_INT_H
#define TARGET_HOLDER_INT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the listener is started with. */
struct holder_start {
	int fanotify, null, mounts, socket; /* mounts: /proc/self/mountinfo */
	bool opens;
};

/*
 * A file waits, whose descriptor comes with this (SCM_RIGHTS).  The first message has none: it says
 * that the listener has begun, and `id` is the number of file systems that it listens to.
 */
struct holder_question {
	uint64_t id;
	pid_t pid;
	bool exec;
};

struct holder_answer {
	uint64_t id;
	bool forever; /* do not ask about this file again */
	pid_t ours;   /* 0; else this is no answer: process OURS is never held from now on */
};

/* The listener's descriptors. */
enum { HOLDER_FANOTIFY = 3, HOLDER_SOCKET, HOLDER_MOUNTS, HOLDER_PULSE };

/*
 * Be the listener until TRACER closes the socket.  No memory is allocated and nothing is opened or
 * executed: it would wait for itself.
 */
void holder_listen(pid_t tracer, bool opens);

#endif
