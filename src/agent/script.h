/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script: an instrument's script, checked, and the words that a dtrace is started with to run it.
 *
 * The bytes that were checked are the bytes that run: they are in sealed memory.
 */
#ifndef AGENT_SCRIPT_H
#define AGENT_SCRIPT_H

#include <stddef.h>

#include "base/vec.h"

struct activation;
struct agent_conf;
struct arena;
struct instrument;

/* NULL ends the words. */
struct script_words {
	VEC(const char *) list;
};

/* The descriptor of the script in the process that runs it. */
#define SCRIPT_FD   3
#define SCRIPT_PATH "/proc/self/fd/3"

/*
 * Reads and checks the script of I: *FD is the sealed copy, which the caller closes.  0, or a
 * negative errno with a text in the arena in *PROBLEM.
 */
int script_open(struct arena *a, const struct instrument *i, int *fd, const char **problem);

/*
 * Makes the words that run the script in FD, as A asks and C and I allow.  No value of A becomes a
 * word that is an option: it is checked as the script's parameter of that name, and follows the
 * name.  0, or a negative errno with a text in the arena in *PROBLEM.
 */
int script_words(struct arena *arena, const struct agent_conf *c, const struct instrument *i,
	const struct activation *a, int fd, struct script_words *out, const char **problem);

#endif
