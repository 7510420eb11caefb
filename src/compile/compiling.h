/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiling: the state of a session's compiler, from its first program to the object that is
 * loaded.  The files of this folder share it; the session reads the results.
 */
#ifndef COMPILE_COMPILING_H
#define COMPILE_COMPILING_H

#include "base/buf.h"
#include "base/diag.h"
#include "lang/tool.h"
#include "load/load.h"

struct build;
struct kernel_event;
struct kernel_function;
struct lex_macros;
struct parse_input;
struct targets;

struct library_file {
	const char *path;
	bool skipped;
	bool unfinished; /* it, or one that it depends on, is being compiled */
};

/* Callbacks of the session for its compiler. */
struct compile_hooks {
	/*
	 * "#pragma D option NAME=VALUE" (VALUE NULL = none): set it and bring the settings up to
	 * date.  0, or a negative errno and *TEXT says why, *HINT what may have been meant (NULL =
	 * nothing is known).
	 */
	int (*set_option)(void *arg, const char *name, const char *value, const char **text,
		const char **hint);
	void *arg;
};

struct compiling {
	struct arena *arena;		    /* the session's */
	struct report *report;		    /* borrowed */
	const struct compile_settings *set; /* borrowed */
	struct compile_hooks hooks;
	struct targets *targets; /* borrowed: the processes whose symbols a program may name */

	/* the machine, made when first needed */
	struct load_btf btf;
	struct features *features; /* NULL: nothing was asked yet */
	const struct kernel_function *functions;
	const struct kernel_event *events;
	uint32_t nfunctions, nevents;
	struct userland *userland;
	struct notes_cache *notes; /* of the files in userland */
	struct java_vms *java;	   /* with an agent of this session */

	/* names and types of all programs */
	struct types *types;
	struct registry *registry;
	struct sema *sema;			   /* NULL: compiling_prepare() has not run */
	VEC(const struct provider_block *) blocks; /* that programs declare */

	/* the program that is being compiled */
	struct diags diags;
	int argc; /* macro arguments: $1 is argv[0] */
	char *const *argv;
	VEC(struct param_value) params; /* of scripts, those that were given */
	struct parse_input *parsing;
	struct lex_macros *macros;
	struct {
		const char *dir; /* of the file that is being compiled; NULL: it is no library */
		const char *versioned; /* folder in it that goes first, for this kernel; or NULL */
		bool system;	       /* it is one of ours */
		bool skip;	       /* something that it depends on is not here */
		VEC(struct library_file) begun; /* in this order */
		bool given;			/* those of option libdir are compiled */
	} library;

	/* the object, after compile_object() */
	const struct build *build;
	bool cut;  /* in pieces, as far as possible (ir/lower_piece.h) */
	bool many; /* probes share programs (ir/target.h) */
	struct buf object;
};

#endif
