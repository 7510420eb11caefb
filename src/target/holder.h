/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holder: holds processes that execute or open a file until somebody has looked at it.
 *
 * The kernel asks before such a call goes on (fanotify(7), "Permission events") and waits for the
 * answer of the listener, or for its end.  A listener that is stopped would freeze the machine, so
 * it is a process of its own, in a session of its own, that executes and opens nothing; another one
 * kills it when it has not been heard of for a second, or for 10 s if it only gets no CPU.  A file
 * that waits for a second is let go; after 10 s if this process, or the exempted one, is at work on
 * what holder_next() returned.  Knows nothing of probes.
 */
#ifndef TARGET_HOLDER_H
#define TARGET_HOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct holder;

/* A file for which a process waits. */
struct held_file {
	int fd;	   /* for reading; the caller closes it */
	pid_t pid; /* the process */
	bool exec; /* it executes the file, or its interpreter */
	uint64_t id;
};

/*
 * Hold all processes but this one, on all file systems that are mounted here, at execve(2); OPENS:
 * also at open(2), those alone whose pid is a key of the map that is open as FAMILY, which is
 * borrowed; -1: all.  NULL: *WHY says why, and belongs to nobody; it is NULL if PRIVILEGE_HOLD is
 * lacking.
 */
struct holder *holder_new(bool opens, int family, const char **why);
/* Lets all go that wait.  NULL: nothing. */
void holder_free(struct holder *h);

/* Returns a descriptor for poll(2), readable while a file waits. */
int holder_fd(const struct holder *h);

/*
 * Takes the next file that waits: 1, 0 = there is none; -EPIPE: the listener has ended, nobody is
 * held any more.
 */
int holder_next(struct holder *h, struct held_file *f);

/* Do not hold process PID, which works for this one. */
void holder_exempt(struct holder *h, pid_t pid);

/* Bytes of arguments and variables that are read. */
#define HOLDER_TEXT (96u << 10)

struct held_arguments {
	const char *args,
		*vars;	       /* as in /proc/PID/cmdline and environ; valid until the next call */
	uint32_t nargs, nvars; /* bytes */
};

/*
 * Reads with which arguments and variables the process executes F, from its memory; it can change
 * them afterwards.  False: they are not known.  That is so for the interpreter of a script, for
 * more than HOLDER_TEXT bytes, for execveat(2), for a thread that is not the first, and where
 * reading takes longer than 0.5 s.
 */
bool holder_arguments(struct holder *h, const struct held_file *f, struct held_arguments *out);

/* Let the process go on that waits for F; FOREVER: do not hold anybody for this file again. */
void holder_release(struct holder *h, const struct held_file *f, bool forever);

/* Hold processes again for the files that were released with FOREVER until now. */
void holder_forget(struct holder *h);

#endif
