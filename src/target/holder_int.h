/* SPDX-License-Identifier: Apache-2.0 */
/* holder_int: private to holder.c and holder_listen.c, the two sides of a socket. */
#ifndef TARGET_HOLDER_INT_H
#define TARGET_HOLDER_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/holder.h"

/* What the listener is started with. */
struct holder_start {
	/* mounts: /proc/self/mountinfo; tracer: its /proc/self/stat */
	int fanotify, null, mounts, tracer, socket, arguments;
	int family; /* a map whose keys are the pids that are held at open(2); -1: all are */
	bool opens;
};

/* What a process executes its program with: NARGS bytes of arguments, then NVARS of variables. */
struct holder_arguments {
	uint64_t id;
	bool known;
	uint32_t nargs, nvars;
	char text[HOLDER_TEXT];
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

/* A message from the tracer to the listener. */
struct holder_answer {
	enum {
		HOLDER_LOOKS,	/* the tracer begins to look at file `id` */
		HOLDER_RELEASE, /* let the process go on that waits for it */
		HOLDER_FOREVER, /* so, and do not ask about this file again */
		HOLDER_TELL,	/* read the arguments of the process that waits for it */
		HOLDER_FORGET,	/* ask about all files again; no `id` */
		/* never hold process `ours`; its /proc/PID/stat comes with this (SCM_RIGHTS) */
		HOLDER_EXEMPT,
	} what;
	pid_t ours;
	uint64_t id;
};

/* The listener's descriptors. */
enum {
	HOLDER_FANOTIFY = 3,
	HOLDER_SOCKET,
	HOLDER_MOUNTS,
	HOLDER_TRACER,
	HOLDER_ARGUMENTS,
	HOLDER_PULSE,
	HOLDER_FAMILY
};

/* How long to wait, ms, for a process that is at work. */
#define HOLDER_LONGEST_MS 10000

/*
 * True if the process of STAT, its /proc/PID/stat, is running, runnable or in an uninterruptible
 * sleep (proc(5)).  A process that sleeps otherwise may wait for a process that is held.
 */
bool holder_is_at_work(int stat);

/* Sends DATA with descriptor FD, without waiting: true if it was sent. */
bool holder_send_with(int socket, const void *data, size_t size, int fd);
/* Receives DATA without waiting, as recv(2) does; *FD is a descriptor that came with it, or -1. */
ssize_t holder_recv_with(int socket, void *data, size_t size, int *fd);

/*
 * Sends the arguments of process PID, which waits to execute the file open as FD, as those of ID to
 * SOCKET; or that they are not known.  May wait for the memory of the process.
 */
void holder_send_arguments(int socket, uint64_t id, pid_t pid, int fd);

/*
 * Be the listener until TRACER closes the socket; FAMILY: there is a HOLDER_FAMILY.  No memory is
 * allocated and nothing is opened or executed: it would wait for itself.
 */
void holder_listen(pid_t tracer, bool opens, bool family);

#endif
