/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source: D text and where it came from.
 */
#ifndef LANG_SOURCE_H
#define LANG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* At which part a bare description begins: the shift of -P, -m, -f, -n and -i. */
enum spec_level { SPEC_PROVIDER, SPEC_MODULE, SPEC_FUNCTION, SPEC_NAME, SPEC_ID };

struct source {
	const char *name; /* file name as given; for a command-line program its text */
	const char *own;  /* the same of the whole text: `name` until a # line changes that */
	bool is_file;	  /* a script or library, whose messages have line numbers */
	bool is_included; /* a # line named it: messages show the file */
	enum spec_level level;
	const char *text; /* NUL-terminated; borrowed */
	size_t len;
	const uint32_t *lines; /* where each physical line begins in the text */
	uint32_t nlines;
	/* physical line PHYS_LINE of `text` counts as line FIRST_LINE (after a # line) */
	unsigned phys_line, first_line;
};

/* A source over borrowed TEXT, in arena A. */
struct source *source_new(struct arena *a, const char *name, bool is_file, enum spec_level level,
	const char *text, size_t len);

/* Returns the length of the byte-order mark of UTF-8 that TEXT, LEN bytes, begins with: 3 or 0. */
size_t source_mark(const char *text, size_t len);

/* Returns line LINE of SRC, without its newline, copied into A; NULL if there is no such line. */
const char *source_line(struct arena *a, const struct source *src, unsigned line);

#endif
