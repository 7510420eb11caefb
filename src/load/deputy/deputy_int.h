/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deputy_int: private to deputy.c (the tracer) and deputy_serve.c (the deputy): what they say to
 * each other over a SOCK_SEQPACKET socket.
 */
#ifndef LOAD_DEPUTY_INT_H
#define LOAD_DEPUTY_INT_H

#include <stdint.h>
#include <sys/types.h>

struct deputy_table;

enum deputy_kind {
	DEPUTY_LOOK,   /* open WHAT of process PID (confine/looker.h); a path follows */
	DEPUTY_PLACES, /* N places follow, for the next DEPUTY_LINK; there is no answer */
	/* attach program PROG to the places told before and the N that follow, in the file whose
	 * descriptor comes with this */
	DEPUTY_LINK,
	DEPUTY_LINK_ENTRIES, /* the same, to the entries of functions whose returns it is for */
};

struct deputy_request {
	uint32_t kind;
	union {
		uint32_t what; /* enum look_what */
		uint32_t prog; /* its number in the load */
	};
	int32_t pid;
	uint32_t n;
	uint64_t start, end;
};

struct deputy_place {
	uint64_t offset, semaphore, cookie;
};

#define DEPUTY_AT_ONCE 1024 /* places in a message */

struct deputy_message {
	struct deputy_request request;
	union {
		struct deputy_place places[DEPUTY_AT_ONCE];
		char path[4096];
	};
};

#define DEPUTY_FILES 2

/* Up to DEPUTY_FILES descriptors come with it: a file; or a link, and its event if it has one. */
struct deputy_answer {
	int32_t err; /* 0 or a negative errno */
};

/*
 * Serve requests that come from SOCKET until it is closed.  Only what T has is done: all else is
 * answered by an error.  The first answer comes unasked.  0, or a negative errno before that.
 */
int deputy_serve(int socket, const struct deputy_table *t);

/* The first answer of a deputy that cannot serve, because of ERR, a negative errno. */
void deputy_refuse(int socket, int err);

/*
 * Give up what deputy_serve() does not need, except the capabilities CAPS, and be killed when the
 * thread of process TRACER that started this one ends.  0 or -errno.
 */
int deputy_confine(uint64_t caps, pid_t tracer);

#endif
