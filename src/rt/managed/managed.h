/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * managed: the interface between the walk of jstack() (managed.bpf.c) and the languages' walkers
 * (managed_LANG.bpf.c), which are asked at each native frame and answer with one managed frame at
 * a time.  All are part of one unit, rt.bpf.c: managed_name.bpf.c, the languages, managed.bpf.c.
 */
#ifndef RT_MANAGED_H
#define RT_MANAGED_H

#include <linux/types.h>

#include "abi/managed.h"

enum managed_answer {
	MANAGED_NOT = 0, /* the frame is not the language's: it is shown and left as a native one */
	MANAGED_MORE,	 /* show WORD, and ask again before anything else */
	MANAGED_INSTEAD, /* the same; the native frame that was shown last is taken back */
	MANAGED_LAST,	 /* show WORD; leave the native frame, which is not shown */
	MANAGED_LEFT,	 /* show WORD; the walker has left the native frame: ip, sp, bp are set */
	MANAGED_SKIP,	 /* leave the native frame, which is not shown */
	MANAGED_HOP,	 /* the walker has left the native frame, which is not shown */
};

#define MANAGED_STATE 32768 /* bytes that a language has for its walk */
#define MANAGED_TEXT  160   /* bytes of a name with its NUL */

_Static_assert(MANAGED_TEXT == DT_NAME_FUNCTION && MANAGED_TEXT == DT_NAME_FILE, "one buffer");

/* What goes from frame to frame beside struct stack_walk, one for each scratch slot. */
struct managed_walk {
	__u64 word; /* the frame that was found */
	/* a copy: a lookup takes as long as reading a word; lang 0: there is none */
	struct dt_managed_proc proc;
	__u32 slot;	     /* of the walk */
	__u32 begun;	     /* the language's walker has set up its state in this walk */
	__u32 answer;	     /* the last one, enum managed_answer */
	__u32 over;	     /* the last native frame was not left: only what it has is shown */
	__u32 width;	     /* text_read()'s: bytes of a character */
	__u32 high;	     /* the first half of a surrogate pair */
	__u32 at;	     /* in OUT */
	__u32 cut;	     /* not all characters fit */
	__u64 id;	     /* of the name that name_find() did not find */
	struct dt_name name; /* that is looked for, or being read */
	__u8 in[4 * MANAGED_TEXT];
	__u8 out[MANAGED_TEXT];
	__u32 lang; /* whose STATE is */
	/* of the language: what is in it when a walk begins is what its last one left, or zeroes */
	char state[MANAGED_STATE] __attribute__((aligned(8)));
};

#endif
