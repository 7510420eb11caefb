/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings: everything that options and the machine decide about a compilation, as plain values.
 *
 * The session fills it from its options (session/settings.c) and again whenever one of them
 * changes.  Strings are borrowed and live as long as the session.
 */
#ifndef COMPILE_SETTINGS_H
#define COMPILE_SETTINGS_H

#include "base/vec.h"
#include "ir/target.h"
#include "probe/provider_env.h"
#include "sema/sema.h"

struct registry_allowed;

/* The longest string that fits a BPF map value together with a clause's scratch memory, in bytes.
 */
#define COMPILE_STRSIZE_MOST (1 << 26)

/* The longest text of a program or library, in bytes. */
#define COMPILE_TEXT_MOST (64 << 20)

typedef VEC(const char *) compile_words;

struct compile_settings {
	/* the language; the driver adds the hooks and says what is a library */
	struct sema_config language;
	bool defaultargs; /* macro arguments that were not given read as 0 or "" */
	bool pspec;	  /* outside of clauses each word begins a probe description */

	/*
	 * Descriptions of a target are about its descendants, too, from their first instruction
	 * on: they are attached by file.
	 */
	bool follow;
	bool force; /* code that is copied may be probed */

	enum return_places returns; /* of functions of user code */

	/* code generation; the driver adds the types */
	struct target target;

	const struct registry_allowed *providers; /* that may be used; NULL: all */

	/* the preprocessor: its command line, the program first; empty = it is not run */
	compile_words cpp;

	/* D libraries */
	bool nolibs;
	const char *syslibdir; /* the system's; NULL = where they are installed */
	compile_words libdirs; /* further ones, searched in this order */

	/* what is told */
	bool errtags, explain;
	struct {
		bool ast, ir, programs, functions;
	} dump; /* stages that are written to the listing */
};

#endif
