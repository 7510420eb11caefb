/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile: the driver.  compile_program() turns a text into typed clauses; compile_object() turns
 * all enabled clauses of a session into one object for src/load.
 *
 * Functions return 0 or a negative errno and leave the text in the report, unless they say
 * otherwise.  Errors in a program are in the diags of struct compiling.
 */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include <stdint.h>
#include <stdio.h>

#include "lang/source.h"

#include "probe/feature.h"

struct build;
struct compiling;
struct image;
struct lex_macros;
struct load_refusal;
struct places;
struct probe;
struct sema_clause;
struct sema_saved;

/* A text to compile; NAME0 is $0. */
struct compile_input {
	const char *name; /* of the file, or the text itself */
	const char *text; /* NUL-terminated */
	size_t len;	  /* bytes */
	bool is_file;
	enum spec_level spec; /* what an unfinished description of a command line names */
	const char *name0;
};

/* Compile the libraries of option libdir, once: before the first program, which may use them. */
int compile_libraries(struct compiling *c);

/*
 * check.c: compile the system's libraries, so that sema_named() and the type table know their names
 * without a program that uses them.  A library with errors is left out.
 */
void compile_library_names(struct compiling *c);

/*
 * Preprocess, parse and check one program.  The result lives in the arena; NULL: the report has
 * the first error, as DTrace words it.
 */
struct sema_program *compile_program(struct compiling *c, const struct compile_input *in);

/*
 * Parse and check what is whole and correct of IN, and leave out the rest.  Errors are not
 * reported.  The results are the clauses and names of sema_session() and sema_each_name().
 */
void compile_incomplete(struct compiling *c, const struct compile_input *in);

/* Store the values of $target and the other macro variables; NAME0 is $0. */
void compile_macros(struct compiling *c, const char *name0, struct lex_macros *out);

/*
 * Checks CLAUSE, which nothing matched when it was compiled, with N PROBES.  0: compile_more() is
 * to make programs for it.  -EINVAL and *TEXT, in the arena, is the error as DTrace words it; or
 * -ENOMEM.
 */
int compile_check_clause(struct compiling *c, struct sema_clause *clause,
	const struct probe *const *probes, uint32_t n, const char **text);

/*
 * Makes another object while that of compile_object() is loaded: the programs, of all clauses that
 * are checked by now, for the places that come from now on; PLACES are those that are taken.  *OUT,
 * in the arena, describes all programs.  0, or as compile_check_clause().
 */
int compile_more(struct compiling *c, const struct places *places, const struct image **out,
	const char **text);

/*
 * The compiler before clauses are checked whose programs may not come to be: compile_undo() brings
 * that back.  compile_point() returns -ENOMEM or 0; the programs of all checked clauses are loaded.
 */
struct compile_point {
	const struct sema_saved *sema;
	const struct build *build;
};
int compile_point(struct compiling *c, struct compile_point *at);
void compile_undo(struct compiling *c, const struct compile_point *at);

/*
 * Lower, optimise and generate code for all enabled clauses, and write the listings that were asked
 * for.  0 and *OUT, in the arena; -EINVAL: the diags say why, the report does not.
 */
int compile_object(struct compiling *c, const struct image **out);

/* Make types, registry and names, once.  SET, arena, report and hooks must be filled in. */
int compiling_prepare(struct compiling *c);

/* Forget the errors of the previous program. */
void compiling_begin(struct compiling *c);

/* Free what is not in the arena. */
void compiling_close(struct compiling *c);

/* Returns the kernel's features, each probed at its first query; NULL: out of memory. */
struct features *compiling_features(struct compiling *c);

/* The same for one feature: true if the kernel has WHICH.  ARG: the struct compiling. */
bool compiling_has(void *arg, enum feature which);

/* Report the first error of the diags as DTrace words it.  Returns -EINVAL. */
int compile_report(struct compiling *c);
/* Report the warnings of the diags, which are forgotten then. */
void compile_warn(struct compiling *c);

/* Reports that the kernel refuses a program as too long, by the limit TEXT; -EINVAL. */
int compile_refused(struct compiling *c, const struct load_refusal *why, const char *text);

/* Returns the file name of SRC for messages; NULL = it is not a file. */
const char *compile_file_name(const struct source *src);

/* Returns all of IN, *LEN bytes and a NUL in the arena; NULL: it cannot be read, and *WHY says why.
 */
const char *compile_read(struct compiling *c, FILE *in, size_t *len, const char **why);

#endif
