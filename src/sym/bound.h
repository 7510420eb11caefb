/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bound: which functions a process has chosen for the names that are chosen when it starts
 * (STT_GNU_IFUNC: strlen, memcpy).
 *
 * The dynamic linker calls a name's resolver and writes the address that it returns to the slots of
 * whoever calls the name: relocations R_*_IRELATIVE of the file itself, JUMP_SLOT and GLOB_DAT of
 * others (System V ABI for x86-64, 4.4.1).  A slot that is bound lazily has no such address yet.
 * Knows nothing of probes.
 */
#ifndef SYM_BOUND_H
#define SYM_BOUND_H

#include <stdint.h>
#include <sys/types.h>

struct file_image;
struct looker;
struct process_object;

/*
 * Finds them for image M, whose file FD process PID has mapped as O.  BY as for process.h.  OUT, an
 * array as long as image_ifuncs()'s, gets the vaddr of the function in M; 0: nothing is bound, or
 * it may not be looked at.  0; -ENOMEM.
 */
int bound_find(const struct looker *by, pid_t pid, const struct process_object *o, int fd,
	const struct file_image *m, uint64_t *out);

#endif
