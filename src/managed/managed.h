/* SPDX-License-Identifier: Apache-2.0 */
/*
 * managed: finds the run-time system of a managed language in a process, and tells the walker of
 * jstack() (src/rt/managed*.bpf.c) where it keeps its frames.
 *
 * A language is one file, LANG.c, with a row in the table of managed.c.  It knows its versions by
 * tables of offsets, and checks them against the file that is mapped: what it does not know is
 * refused by name.
 */
#ifndef MANAGED_MANAGED_H
#define MANAGED_MANAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/managed.h"

struct process_object;

/* What a search of a process says. */
enum managed_found {
	MANAGED_NONE = 0, /* it runs none of the languages */
	MANAGED_FOUND,
	MANAGED_REFUSED, /* it runs one, of a version that is not known */
};

struct managed_language {
	const char *name;
	enum dt_lang lang;
	/* True if the file of O may be the language's, by what its name says. */
	bool (*may_be)(const struct process_object *o);
	/*
	 * Fills *OUT (zeroed, but for the members that all languages have), if O, mapped by
	 * process PID, has the language's run-time system.  If that is refused, WHY (SIZE bytes)
	 * becomes a sentence that says what was found and what is known.
	 */
	enum managed_found (*find)(pid_t pid, const struct process_object *o,
		struct dt_managed_proc *out, char *why, size_t size);
};

extern const struct managed_language managed_go, managed_java, managed_php, managed_python,
	managed_ruby, managed_v8;

/*
 * Returns what V8 of VERSION (0xb03 is 11.3) has where its symbols do not say it; NULL: the version
 * is not known.
 */
const struct dt_v8 *managed_v8_version(uint32_t version);

/*
 * Searches process PID; *OUT and WHY as above.  Takes milliseconds for a process that has such a
 * file, and reads /proc/PID/maps for others.
 */
enum managed_found managed_find(pid_t pid, struct dt_managed_proc *out, char *why, size_t size);

/* ---- for the languages ---- */

struct managed_symbol {
	const char *name;
	uint64_t addr, size; /* in the process; 0: the file has no such symbol */
};

/* Looks up N symbols of O, at once; returns how many were found. */
unsigned managed_symbols(
	pid_t pid, const struct process_object *o, struct managed_symbol *wanted, unsigned n);

/* Reads SIZE bytes of the process's memory; false if they are not all there. */
bool managed_read(pid_t pid, uint64_t addr, void *to, size_t size);

/*
 * Reads SIZE bytes of the code at ADDR of O, from its file: in memory there may be breakpoints, of
 * ours or of others.  False if they are not all there.
 */
bool managed_read_code(
	pid_t pid, const struct process_object *o, uint64_t addr, void *to, size_t size);

/* Returns the word at ADDR of the process's memory; 0 if it cannot be read. */
uint64_t managed_word(pid_t pid, uint64_t addr);

/*
 * Returns the row for VERSION in ROWS, N of SIZE bytes whose version is a uint16_t at offset AT;
 * NULL: it is not known.
 */
const void *managed_version(const void *rows, size_t n, size_t size, size_t at, uint32_t version);

#define MANAGED_VERSION(rows, member, version)                                     \
	managed_version(rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]), \
		(size_t)((const char *)&(rows)->member - (const char *)(rows)), version)

/*
 * Writes to WHY (SIZE bytes) that jstack() does not know the process's WHAT ("Python, 3.14") and
 * what it knows ("3.9 to 3.13"); returns MANAGED_REFUSED.
 */
enum managed_found managed_refuse(
	char *why, size_t size, pid_t pid, const char *what, const char *known);

#endif
