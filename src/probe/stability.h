/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability: the stability of a name and its data, and the class of machines on which they exist.
 */
#ifndef PROBE_STABILITY_H
#define PROBE_STABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels of stability, from low to high. */
enum stability {
	STAB_INTERNAL,
	STAB_PRIVATE,
	STAB_OBSOLETE,
	STAB_EXTERNAL,
	STAB_UNSTABLE,
	STAB_EVOLVING,
	STAB_STABLE,
	STAB_STANDARD,
};

/* Classes of machines, from narrow to wide. */
enum stab_class {
	CLASS_UNKNOWN,
	CLASS_CPU,
	CLASS_PLATFORM,
	CLASS_GROUP,
	CLASS_ISA,
	CLASS_COMMON,
};

struct attributes {
	uint8_t name, data, klass; /* enum stability, enum stability, enum stab_class */
};

/* Return the word for a level or class; "?" for a number out of range. */
const char *stability_name(unsigned level);
const char *stability_class_name(unsigned klass);

/* Parse "Evolving/Evolving/Common" into *OUT.  False if TEXT is not three known words. */
bool attributes_parse(const char *text, struct attributes *out);

/* Format A into BUF and return BUF. */
char *attributes_text(struct attributes a, char *buf, size_t size);

/* Return the lower of A and B, component by component. */
struct attributes attributes_least(struct attributes a, struct attributes b);

/* True if any component of A is lower than that of LEAST. */
bool attributes_below(struct attributes a, struct attributes least);

#endif
