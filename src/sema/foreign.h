/* SPDX-License-Identifier: Apache-2.0 */
/*
 * foreign: what D has in place of names and probes that are spelled as other tracers spell them.
 * The spellings are rows of foreign.def.  Results are in the arena or static; NULL: not known.
 */
#ifndef SEMA_FOREIGN_H
#define SEMA_FOREIGN_H

struct arena;

/* NAME may end in a process or a star. */
const char *foreign_provider(const char *name);
const char *foreign_variable(const char *name);
const char *foreign_function(const char *name);

/*
 * Returns the description, in D, of the probe that TEXT begins with: "fbt::vfs_read:entry" for
 * "kprobe:vfs_read { ...".
 */
const char *foreign_probe(struct arena *a, const char *text);

#endif
