/* SPDX-License-Identifier: Apache-2.0 */
/* privilege: the capabilities that a request takes, and those that this process lacks. */
#ifndef CONFINE_PRIVILEGE_H
#define CONFINE_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum privilege {
	PRIVILEGE_NONE, /* takes no more than tracing does */
#define PRIVILEGE(id, caps, instead, what) PRIVILEGE_##id,
#include "confine/privilege.def"
	PRIVILEGE_COUNT,
};

/*
 * Returns the capabilities that P takes and this process lacks, "CAP_A" or "CAP_A and CAP_B"; NULL:
 * it lacks none.  The text is constant.
 */
const char *privilege_lacking(enum privilege p);

/* Returns the capabilities that P takes, whoever has them; the text is constant. */
const char *privilege_caps(enum privilege p);

/* Returns kernel.perf_event_paranoid; distributions have levels above 2, which the kernel has not.
 */
int privilege_event_level(void);

/* Returns what takes P, for people: "sdt and fbt". */
const char *privilege_what(enum privilege p);

/*
 * Give up all capabilities but KEEP, a bit each as 1 << CAP_BPF, for this thread and what it
 * starts.  0 or a negative errno.
 */
int privilege_keep(uint64_t keep);

/*
 * Returns what ACT returns, called in this thread while none of its capabilities is in effect; a
 * negative errno: they cannot be put aside, or back.
 */
int privilege_try_without(int (*act)(void *arg), void *arg);

/* True if the program was given privileges that its caller may lack: set-user-ID, file
 * capabilities. */
bool privilege_is_lent(void);

#endif
