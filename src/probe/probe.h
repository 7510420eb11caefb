/* SPDX-License-Identifier: Apache-2.0 */
/* probe: one probe that a provider has, and the description that a clause gives of probes. */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stdint.h>

struct provider;

/* A probe description: glob patterns (probe/glob.h); "" matches anything.  Never NULL. */
struct probe_pattern {
	const char *prov, *mod, *func, *name;
};

struct probe {
	uint32_t id; /* as dtrace -l shows it */
	const struct provider *provider;
	const char *prov, *mod, *func, *name; /* module and function may be "" */
	const char *mangled; /* FUNC as the file has it, if FUNC is demangled; else NULL */
	uint64_t data;	     /* the provider's own */
	/*
	 * Not 0: it is attached by file, and any process may fire it.  So many characters of PROV
	 * and that process's number are then the provider's name; PROV goes on with "*", or with
	 * the number of the process whose descendants may.
	 */
	uint32_t shared;
	const char *file; /* the source file of what it is about; NULL: unknown */
	uint32_t line;	  /* and the line there; 0: unknown */
};

#endif
