/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: the public handle: a compiler, a consumer, and the few things that both of them need.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/arena.h"
#include "base/report.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "session/limits.h"
#include "session/tracing.h"

struct fleet;
struct image;

enum run_phase { PHASE_NEW, PHASE_TRACING, PHASE_DONE };

struct dtrace_prog {
	struct sema_program *sema;
};

struct dtrace {
	struct arena *arena; /* holds this struct, too */
	struct report report;
	struct options *opts;
	struct compile_settings settings; /* the options as the compiler sees them */
	struct targets *targets;
	enum run_phase phase;
	bool no_memory;	     /* a call ended for want of it: the session can only be closed */
	const char *awaited; /* the program of dtrace_complete_command() */
	const char *script;  /* the first file that was compiled as a program; NULL */
	const char *text;    /* of the first program that came as a string; NULL */
	const char *command; /* the first target: a command, or the process "pid 12"; NULL */
	const char *name;    /* $0 of a program from the command line */
	struct limits limits;
	char privileges[256];

	struct compiling compiling;
	const struct image *image; /* of what is loaded, or is about to be; NULL: nothing yet */
	struct tracing tracing;
	struct fleet *fleet; /* the page of --web --fleet; NULL */
};

/*
 * For public functions: CALL, which returns 0 or more, or a negative errno; with SESSION_FIND() a
 * pointer.  If the session's arena runs out of memory in it, that is reported: -ENOMEM, or NULL.
 */
#define SESSION_TRY(d, call) \
	((d)->no_memory ? session_no_memory(d) : ARENA_TRY((d)->arena, call, session_no_memory(d)))
#define SESSION_FIND(d, call)                          \
	((d)->no_memory ? (session_no_memory(d), NULL) \
			: ARENA_TRY((d)->arena, call, (session_no_memory(d), NULL)))

/* Notes and reports that memory has run out: -ENOMEM. */
int session_no_memory(struct dtrace *d);

/* Make the compiler's types, registry and names; 0 or a negative errno and an error. */
int session_prepare(struct dtrace *d);

struct dtrace_probe;
struct probe;
/*
 * list.c: fill in *OUT from P, its attributes and arguments only if VERBOSE.  0 or a negative
 * errno.
 */
int session_describe(
	struct dtrace *d, const struct probe *p, bool verbose, struct dtrace_probe *out);

/* settings.c: update the settings and output options from the options. */
void settings_refresh(struct dtrace *d);
/*
 * As above, with lists and kernel limits.  Call it before a program is compiled, after its
 * pragmas.
 */
void settings_for_program(struct dtrace *d);
/*
 * As above, with properties of this machine for code generation.  0 or a negative errno and an
 * error.
 */
int settings_for_machine(struct dtrace *d);
/* struct compile_hooks' set_option, of a session. */
int settings_pragma(
	void *arg, const char *name, const char *value, const char **text, const char **hint);

#endif
