/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_read: a session that was saved with --output=json (docs/json.md), handed to a consumer as if
 * it ran.
 *
 * A file can have any length: memory is bounded by its longest line, in a compact form.  A file can
 * be damaged or foreign; a message then names it, and the line.  It can also end too early.
 */
#ifndef FORMATS_JSON_READ_H
#define FORMATS_JSON_READ_H

#include <stdbool.h>
#include <stdio.h>

#include "formats/writer.h"

struct arena;
struct dtrace_consumer;
struct json_read;

/*
 * Returns a reader of IN, which messages call NAME; both stay the caller's.  Names of probes and
 * aggregations are put into NAMES and outlive the reader.  json_read_free() frees it.  NULL: no
 * memory.
 */
struct json_read *json_read_new(FILE *in, const char *name, struct arena *names);
void json_read_free(struct json_read *r);

/*
 * Reads the first line, the one of the session.  0; -EBADMSG with a problem: it is no saved
 * session; -errno with one: the file cannot be read; -ENOMEM.
 */
int json_read_open(struct json_read *r);

/* Returns the version of dtrace that wrote the file, after json_read_open(). */
const char *json_read_version(const struct json_read *r);

/*
 * Returns what the session was about that wrote the file, as far as the file says it; `saved` is
 * the file's name.
 */
struct writer_about json_read_about(const struct json_read *r);

/* Returns the options of the session that wrote the file (struct writer_info). */
const char *const *json_read_options(const struct json_read *r);

/*
 * Reads the rest and hands it to TO, without finish().  Records have no prefix and items only the
 * texts of formats, whatever TO wants.  Errors are those of json_read_open() and of TO, which has
 * no problem.
 */
int json_read_run(struct json_read *r, const struct dtrace_consumer *to);

/* Returns what was wrong with the file, "NAME:12: ..."; NULL: nothing. */
const char *json_read_problem(const struct json_read *r);

/* True if the session was cut short: the last line is missing. */
bool json_read_is_cut(const struct json_read *r);

#endif
