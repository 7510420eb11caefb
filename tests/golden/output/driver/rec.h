/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rec: what the files of this program share.  It reads a .rec file, which describes options,
 * probes, symbols, records and aggregations as text (docs/HOWTO-test.md), hands them to the text
 * sink as the consumer would, and prints what the sink writes.
 *
 * Mistakes in the file end the program with status 2.  All memory is in one arena.
 */
#ifndef TESTS_GOLDEN_OUTPUT_REC_H
#define TESTS_GOLDEN_OUTPUT_REC_H

#include "base/arena.h"
#include "consume/agg_table.h"
#include "decode/sink.h"
#include "print/print.h"
#include "sym/sym.h"

#define MAX_WORDS 256
#define MAX_DATA  32

/* The words of one line, taken from the left. */
struct words {
	struct {
		const char *text;
		uint32_t len;
		bool quoted; /* escapes are gone; may hold NULs */
	} word[MAX_WORDS];
	uint32_t n, at;
	bool indented; /* the line belongs to the one before it */
};

extern struct arena *arena;

/* Say where in the file we are and end. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Blanks, commas and the brackets [] () {} separate words; # begins a comment. */
void words_read(struct words *w, const char *line);
bool words_left(const struct words *w);
const char *word_peek(const struct words *w); /* "" at the end */
bool word_is_quoted(const struct words *w);
const char *word_take(struct words *w);
bool word_accept(struct words *w, const char *word); /* take it if it is this one */
int64_t number_take(struct words *w);
const char *string_take(struct words *w, uint32_t *len);

/* ---- value.c: a datum is a type and, in records and updates, its value ---- */

struct image {
	_Alignas(16) uint8_t bytes[8192];
	uint32_t len;
};

/* Read a type; its data come at offset *END, which moves behind them.  In a KEY a stack is an id.
 */
struct datum type_take(struct words *w, uint32_t *end, bool key);

/* Returns the stacks that keys name. */
struct stacks *stacks_of(struct symtab *syms);

/* Read the value of D to its place in IMAGE. */
void value_take(struct words *w, const struct datum *d, struct image *image);

/* ---- syms.c: a symbol table made of lines of the file ---- */

struct symtab *syms_new(void);

/* kernel|process PID object|symbol NAME START SIZE; kernel tracing START SIZE */
void syms_line(struct symtab *s, struct words *w, bool user);

/* ---- aggs.c: aggregations whose maps are in memory ---- */

struct rec_aggs;
struct rec_aggs *rec_aggs_new(struct sink *sink, const struct sink_env *env);

/* aggregation @NAME[TYPE, ...] FUNCTION PARAMETER... */
void rec_aggs_declare(struct rec_aggs *a, struct words *w);

/* @NAME[VALUE, ...] NUMBER [by N] [cpu N] */
void rec_aggs_update(struct rec_aggs *a, struct words *w);
const struct agg_desc *rec_aggs_find(const struct rec_aggs *a, const char *name);

/* The option that sorting is done by, or false: there is no such one. */
bool rec_aggs_option(struct rec_aggs *a, const char *name, uint32_t value);

/* Action I of EV: printa(), clear() ... */
int rec_aggs_action(struct rec_aggs *a, const struct event *ev, uint32_t i);
int rec_aggs_rest(struct rec_aggs *a); /* what END leaves */
void rec_aggs_free(struct rec_aggs *a);

#endif
