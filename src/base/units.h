/* SPDX-License-Identifier: Apache-2.0 */
/* units: numbers with a unit of time or size, as users write them: "10ms", "997hz", "4m". */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* The notation of an integer; the value is that of strtoull(3)'s argument. */
enum units_base {
	UNITS_C = 0,	    /* as in C: 10, 0x10 or 010 */
	UNITS_DECIMAL = 10, /* 010 is ten */
};

/*
 * Parse the integer that TEXT begins with, without sign or blanks, into *N and set *END to what
 * follows it.  0; -EINVAL: TEXT does not begin with a digit; -ERANGE: the integer exceeds
 * INT64_MAX.
 */
int units_parse_integer(const char *text, enum units_base base, int64_t *n, const char **end);

/*
 * Parse TEXT, an integer and a unit of time, into *NS, nanoseconds.  Units are, in upper or lower
 * case: ns nsec us usec ms msec s sec m min h hour d day, and hz, which makes a period of a
 * frequency, rounded down; 0hz is 0.  PLAIN is the unit of a bare integer.  0; -EINVAL: not of this
 * form; -ERANGE: the period exceeds INT64_MAX ns.
 */
int units_parse_time(const char *text, enum units_base base, const char *plain, int64_t *ns);

/*
 * Parse TEXT, an integer as in C and at most one of the letters k m g t (powers of 1024, in upper
 * or lower case), into *BYTES.  0; -EINVAL: not of this form; -ERANGE: the size exceeds INT64_MAX.
 */
int units_parse_size(const char *text, int64_t *bytes);

/*
 * Write BYTES into BUF in the largest of these units that divides it, "32m", or as "1000 bytes";
 * SIZE is as for snprintf(3), 32 is enough.  Returns BUF.
 */
const char *units_print_size(char *buf, size_t size, uint64_t bytes);

#endif
