/* SPDX-License-Identifier: Apache-2.0 */
/*
 * document: a tree of named things, written as JSON, XML or HTML.
 *
 * A container or an instance has members: fields, lists and containers.  A list has instances or
 * items, all of the list's name.  Nothing is checked; the caller closes what it opened.
 */
#ifndef FORMATS_DOCUMENT_H
#define FORMATS_DOCUMENT_H

#include <stdint.h>

#include "formats/writers.h"

enum document_syntax { DOCUMENT_JSON, DOCUMENT_XML, DOCUMENT_HTML };

struct document {
	enum document_syntax syntax;
	bool pretty;
	bool comma; /* something stands before, in the same brackets */
	unsigned depth;
	struct stream s;
};

/* The first and the last lines, around everything. */
void document_begin(struct document *d);
void document_end(struct document *d);

void document_open_container(struct document *d, const char *name);
void document_close_container(struct document *d, const char *name);

void document_open_list(struct document *d, const char *name);
void document_close_list(struct document *d);

/* Opens a member of list NAME that has members itself. */
void document_open_instance(struct document *d, const char *name);
void document_close_instance(struct document *d, const char *name);

/* NAME NULL: in a JSON list; else LIST says what it is. */
void document_put_signed(struct document *d, const char *name, const char *list, int64_t n);
void document_put_unsigned(struct document *d, const char *name, const char *list, uint64_t n);
void document_put_text(struct document *d, const char *name, const char *list, const char *s);
void document_put_string(
	struct document *d, const char *name, const char *list, const char *s, size_t len);
void document_put_float(
	struct document *d, const char *name, const char *list, long double value, uint32_t size);

#endif
