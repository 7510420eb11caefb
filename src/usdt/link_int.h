/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_int: the parts of dtrace -G, for each other only.
 *
 *   link.c        runs the parts in order; the names of probes in objects
 *   link_sites.c  makes the probe calls in one object's code into sites
 *   link_notes.c  adds notes and their symbols to that object
 *   link_new.c    writes the new object
 *
 * An object that was compiled with another DTrace's header, or a Solaris-like <sys/sdt.h>, calls
 * __dtrace_P___X(args) for probe X of provider P, and __dtraceenabled_P___X() to ask whether the
 * probe is enabled.  A call of the first kind becomes a site: nops, and a note with the places
 * where the System V ABI (3.2.3) passes the arguments.  A call of the second kind stays; the new
 * object has the function, which reads the semaphore.
 */
#ifndef USDT_LINK_INT_H
#define USDT_LINK_INT_H

#include <gelf.h>
#include <stdbool.h>

#include "base/vec.h"

/* A probe that objects can have. */
struct sdt_probe {
	const struct provider_block *provider;
	const struct provider_block_probe *probe;
	const char *semaphore; /* P_X_semaphore */
	bool asked;	       /* __dtraceenabled_P___X() is called */
	bool no_flag; /* at least once not as Linux's header does, with a pointer to a flag */
};

/* A call that became a site. */
struct sdt_place {
	const struct sdt_probe *probe;
	size_t section; /* its index */
	uint64_t offset;
	bool tail; /* it was a jump: the return address is on the stack */
};

struct sdt_link {
	const struct usdt_link_job *job;
	struct report *report;
	struct arena *arena;
	VEC(struct sdt_probe) probes; /* of all providers that were declared */
};

/* One object. */
struct sdt_object {
	struct sdt_link *link;
	const char *path;
	int fd;
	int64_t size; /* of the file, in bytes */
	Elf *elf;
	size_t section_names; /* index of that string table */
	Elf_Scn *symtab;
	GElf_Shdr symtab_header;
	Elf_Data *symbols;
	uint32_t nsymbols;
	VEC(struct sdt_place) places;
};

/* A message about the object, and -EINVAL. */
int sdt_object_error(const struct sdt_object *o, const char *what);
/* Reports something in the object that cannot be handled. */
int sdt_object_odd(const struct sdt_object *o);

/* link.c: finds the probe *OUT that a function's name stands for; 0: it is none, 1, or an error. */
int sdt_probe_named(
	const struct sdt_object *o, const char *function, bool *asks, struct sdt_probe **out);

/* link_sites.c: patch the code of O; 0 or an error. */
int sdt_patch_sites(struct sdt_object *o);

/* link_notes.c: adds notes for the places of O; 0 or an error. */
int sdt_add_notes(struct sdt_object *o);

/* link_new.c: write the job's output; 0 or an error. */
int sdt_write_new(struct sdt_link *link);

#endif
