/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdtrace: compile D, trace the running kernel with it, read the results.
 *
 * A session is one struct dtrace.  Programs are compiled into it, then dtrace_session_go() puts
 * them into the kernel, dtrace_session_work() is called until it says DONE, and
 * dtrace_session_close() frees everything. A session is used by one thread; only
 * dtrace_session_interrupt() may be called from a signal handler.
 *
 * Ownership: what a function returns through a pointer belongs to the session and lives until
 * dtrace_session_close(), unless its comment says otherwise.  Strings passed in are copied.
 * Errors: functions returning int give 0 or a negative errno; dtrace_session_error() then has the
 * text. The library never prints and never exits; output goes to the stream that was set, messages
 * about drops and run-time faults to the handler.
 */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include <stdio.h>

#include <dtrace/data.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DTRACE_API __attribute__((visibility("default")))

struct dtrace;
struct dtrace_prog;

/* The version of the D language, and of this program. */
DTRACE_API const char *dtrace_version_d(void);
DTRACE_API const char *dtrace_version(void);

/* ---- session ---- */

/* A new session with default options; NULL when there is no memory. */
DTRACE_API struct dtrace *dtrace_session_open(void);
DTRACE_API void dtrace_session_close(struct dtrace *d);

/* The last failure's text, without prefix or newline; never NULL. */
DTRACE_API const char *dtrace_session_error(const struct dtrace *d);

/*
 * What may help against it, a fragment such as "did you mean 'comm'?"; NULL = nothing is known.
 * For programs only with option explain.
 */
DTRACE_API const char *dtrace_session_hint(const struct dtrace *d);

/*
 * What keeps this process from tracing: one line that names what is missing and what to do;
 * NULL = nothing.
 */
DTRACE_API const char *dtrace_session_privileges(struct dtrace *d);

/*
 * Set option NAME; VALUE NULL = given without a value. -ENOENT: no such option, -EINVAL: bad
 * value, -EOVERFLOW, -EBUSY: not while tracing.
 */
DTRACE_API int dtrace_option_set(struct dtrace *d, const char *name, const char *value);

/*
 * The number behind a boolean (0, 1), size (bytes), rate (ns) or count, of a word its place (from
 * 0) in the list that dtrace_option_each() shows; -ENOENT.
 */
DTRACE_API int dtrace_option_get(const struct dtrace *d, const char *name, int64_t *value);

/* As if option NAME had never been set; -ENOENT, -EBUSY. */
DTRACE_API int dtrace_option_unset(struct dtrace *d, const char *name);

/* Apply DTRACE_OPT_<NAME> of the environment; bad values are ignored. */
DTRACE_API void dtrace_option_environment(struct dtrace *d);

/* Each option: name, its value's syntax and one line of help; returns when VISIT is done. */
DTRACE_API void dtrace_option_each(
	void (*visit)(void *arg, const char *name, const char *kind, const char *help), void *arg);

/* Where -S, -x dump and -x debug go (default stderr). */
DTRACE_API void dtrace_set_dump(struct dtrace *d, FILE *out);

/*
 * Called with each drop, run-time fault and library message, without prefix or newline.
 */
DTRACE_API void dtrace_set_message_handler(
	struct dtrace *d, void (*handler)(void *arg, const char *text), void *arg);

/* Macro arguments $1.. for the programs compiled from now on; borrowed until they are. */
DTRACE_API void dtrace_set_args(struct dtrace *d, int argc, char *const *argv);

/* What $0 is in programs that are not scripts; borrowed as above. */
DTRACE_API void dtrace_set_name(struct dtrace *d, const char *argv0);

/* ---- results ---- */

/*
 * Who gets the results, besides the outputs.  Every function may be NULL; one that returns a
 * negative errno ends tracing with it.  A record is a begin(), an item() for each action that ran,
 * in order, and an end(); table() has what is printed at the end of the session.
 *
 * They are called by dtrace_session_work(), dtrace_session_poll() and, for what BEGIN recorded, by
 * dtrace_session_go().  They may call dtrace_option_get(), dtrace_table_row(),
 * dtrace_table_text(), dtrace_address_text() and dtrace_session_interrupt(), no other function of
 * the session.
 */
struct dtrace_consumer {
	void *arg;	/* passed to each function */
	bool want_text; /* fill in every item's text and the record's prefix */
	bool want_time; /* and the record's time */
	int (*begin)(void *arg, const struct dtrace_record *r);
	int (*item)(void *arg, const struct dtrace_record *r, const struct dtrace_item *i);
	int (*end)(void *arg, const struct dtrace_record *r);
	int (*table)(void *arg, const struct dtrace_table *t);
	int (*drop)(void *arg, const struct dtrace_drop *drop);
	int (*fault)(void *arg, const struct dtrace_fault *fault);
	/* The session is over: once, after everything else. */
	int (*finish)(void *arg);
	/* A consumer pass is over: what is buffered should be written. */
	int (*flush)(void *arg);
};

/* C is copied. Before dtrace_session_go(). */
DTRACE_API int dtrace_consumer_add(struct dtrace *d, const struct dtrace_consumer *c);

/*
 * Write everything in FORMAT (dtrace_format_each()) to OUT, which stays the caller's.  Any number
 * of outputs can be added before dtrace_session_go(), at most one of them text.  -EINVAL: there is
 * no such format.
 */
DTRACE_API int dtrace_output_add(struct dtrace *d, const char *format, FILE *out);

/* Each format: its name and what it is, on one line. */
DTRACE_API void dtrace_format_each(
	void (*visit)(void *arg, const char *name, const char *help), void *arg);

/* Row I (from 0) of T; it lives until the next call for T. NULL: no memory, or no such row. */
DTRACE_API const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i);

/*
 * What the text output prints for N rows of T from FIRST on, without the newline before a table
 * in a record; pictures (options agghist, aggpack) are about all rows that are asked for.  It lives
 * as long as a row. NULL: no memory, or no such rows.
 */
DTRACE_API const char *dtrace_table_text(
	const struct dtrace_table *t, unsigned first, unsigned n, size_t *len);

/* How rows are sorted; zeroed = by value, upwards.  As options aggsortkey, ... */
struct dtrace_sort {
	bool by_key, reverse;
	unsigned key, value; /* number of the first key and of the aggregation to look at */
};

/*
 * Read the aggregations now and hand each that has keys to VISIT, or NAME (without @) alone; SORT
 * NULL: as the options say.  VISIT returns 0 to go on, or another value to stop, which is
 * returned.  Between dtrace_session_go() and dtrace_session_close().
 */
DTRACE_API int dtrace_aggregation_each(struct dtrace *d, const char *name,
	const struct dtrace_sort *sort, int (*visit)(void *arg, const struct dtrace_table *t),
	void *arg);

/*
 * Set the values of all keys of aggregation NAME (without @) to zero, as clear() does, or remove
 * all but the N largest (N < 0: smallest) keys, as trunc() does.  What was counted since it was
 * last read stays. -ENOENT: there is none. From dtrace_session_go() on.
 */
DTRACE_API int dtrace_aggregation_clear(struct dtrace *d, const char *name);
DTRACE_API int dtrace_aggregation_trunc(struct dtrace *d, const char *name, int64_t n);

/*
 * The text of ADDRESS, in process PID or (0) in the kernel, as in stacks: "object`symbol+0x10".
 * As snprintf(3): NUL-terminated, at most SIZE bytes; the whole text's length is returned.  From
 * dtrace_session_go() on; before that it is the number alone.
 */
DTRACE_API int dtrace_address_text(
	struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size);

/* ---- target processes ---- */

/*
 * Start CMD (split at blanks, searched in PATH), stopped before main() (option evaltime); it
 * runs when tracing has begun, is killed by dtrace_session_close() if still alive. The first one is
 * $target.
 */
DTRACE_API int dtrace_target_create(struct dtrace *d, const char *cmd);

/* The same with its arguments as they are, up to a NULL; *PID (if not NULL) is the process's. */
DTRACE_API int dtrace_target_spawn(struct dtrace *d, char *const *argv, pid_t *pid);

/* Follow the life of process PID; it is left alone otherwise. */
DTRACE_API int dtrace_target_grab(struct dtrace *d, pid_t pid);

/* ---- compiling ---- */

/* At which part of a description a command-line program begins: -P -m -f -n, or -i. */
enum dtrace_spec {
	DTRACE_SPEC_PROVIDER,
	DTRACE_SPEC_MODULE,
	DTRACE_SPEC_FUNCTION,
	DTRACE_SPEC_NAME,
	DTRACE_SPEC_ID,
};

/*
 * Compile; NULL on failure: dtrace_session_error() has the first error as DTrace words
 * it (without "failed to compile ..."), dtrace_diag() all of them.
 */
DTRACE_API struct dtrace_prog *dtrace_compile_string(
	struct dtrace *d, const char *text, enum dtrace_spec spec);
DTRACE_API struct dtrace_prog *dtrace_compile_file(struct dtrace *d, const char *path, FILE *in);

/* Let P fire from dtrace_session_go() on. */
DTRACE_API int dtrace_prog_enable(struct dtrace *d, struct dtrace_prog *p);

/*
 * Generate code for all that is enabled, as dtrace_session_go() does, without loading it; writes
 * what options verbose (-S) and dump ask for.
 */
DTRACE_API int dtrace_session_check(struct dtrace *d);

/* (clause, probe) pairs. */
DTRACE_API unsigned dtrace_prog_matches(const struct dtrace_prog *p);

/* Whether more probes may match while tracing: in libraries or processes that do not exist yet. */
DTRACE_API int dtrace_prog_awaits(const struct dtrace_prog *p);

/*
 * One error of the last failed compilation; until the next one dtrace_option_get() says what
 * options the program itself had set.
 */
struct dtrace_diag {
	const char *tag;    /* "D_SYNTAX"; "" = it has none */
	const char *file;   /* NULL for command-line programs */
	unsigned line, col; /* from 1; 0 = unknown */
	const char *text;   /* the message; further lines begin with a tab */
	const char *source; /* the source line, NULL = unknown */
	const char *hint;   /* as dtrace_session_hint(); NULL = none, or option explain is off */
};
DTRACE_API unsigned dtrace_diag_count(const struct dtrace *d);
DTRACE_API int dtrace_diag(const struct dtrace *d, unsigned i, struct dtrace_diag *out);

/* ---- probes of programs ---- */

/*
 * Write the C and C++ header for the probes of the provider blocks of N programs to OUT, as -h
 * does: a macro for each probe, P_X(), which leaves a site that tracers find in the program's file,
 * and P_X_ENABLED().  NAME is the file's, for its include guard.  -EIO: not all was written.
 */
DTRACE_API int dtrace_header_write(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *name, FILE *out);

/*
 * Write the object file OUTPUT that goes with the provider blocks of N programs, as -G does: the
 * semaphores of their probes.  In the NOBJECTS relocatable files OBJECTS calls of __dtrace_P___X(),
 * as headers of other DTraces leave them, are made into sites; they are written in place.
 */
DTRACE_API int dtrace_objects_link(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *output, char *const *objects, unsigned nobjects);

/* ---- what this machine can do ---- */

enum dtrace_finding_kind {
	DTRACE_FINDING_PRIVILEGES, /* whether this process may trace at all; the first one */
	DTRACE_FINDING_PROVIDER,
	DTRACE_FINDING_FEATURE, /* of the kernel: what providers are made of */
};

enum dtrace_finding_status {
	DTRACE_FINDING_OK,
	DTRACE_FINDING_DEGRADED, /* it is there, but something about it is weaker */
	DTRACE_FINDING_MISSING,
};

struct dtrace_finding {
	enum dtrace_finding_kind kind;
	enum dtrace_finding_status status;
	const char *name; /* "privileges", "syscall", "kprobe_multi" */
	const char *why;  /* one line that names what is missing; "" = nothing is */
	unsigned probes;  /* of a provider: how many are listed */
};

/*
 * Try what this kernel lets this process do, in the order above, and tell VISIT, which returns 0
 * to go on, or another value to stop, which is returned.  What is tried is undone at once.  Takes
 * some milliseconds, and longer where there are many probes.  Works without privileges.
 */
DTRACE_API int dtrace_doctor_each(
	struct dtrace *d, int (*visit)(void *arg, const struct dtrace_finding *f), void *arg);

/* ---- listing ---- */

/*
 * Each probe there is, ascending by id. VERBOSE: fill in the arguments too.  VISIT returns 0 to go
 * on, or another value to stop, which is returned.
 */
DTRACE_API int dtrace_probe_each(struct dtrace *d, bool verbose,
	int (*visit)(void *arg, const struct dtrace_probe *p), void *arg);

/*
 * Each clause's description of a compiled program (consecutive equal ones once), then its
 * probes: DESC is called first, with the four parts joined by ':'; MISSING is why there are none,
 * or NULL, and with option explain dtrace_session_hint() may have what was meant.
 */
struct dtrace_prog_visitor {
	void (*description)(void *arg, const char *desc, unsigned nprobes, const char *missing);
	int (*probe)(void *arg, const struct dtrace_probe *p); /* not 0: no more of them */
	void *arg;
};
DTRACE_API int dtrace_prog_probe_each(
	struct dtrace *d, struct dtrace_prog *p, bool verbose, const struct dtrace_prog_visitor *v);

/* Minimum attributes of the program's probe descriptions and statements. */
DTRACE_API void dtrace_prog_attributes(const struct dtrace_prog *p,
	struct dtrace_attributes *descriptions, struct dtrace_attributes *statements);

/* ---- tracing ---- */

/* Load, run BEGIN, attach, let target processes go. */
DTRACE_API int dtrace_session_go(struct dtrace *d);

/*
 * How many places dtrace_session_go() has attached programs to so far, and in *ALL to how many it
 * will, 0 while that is not known.  Any thread may ask.
 */
DTRACE_API unsigned dtrace_session_attached(const struct dtrace *d, unsigned *all);

/* Write the verifier's log of the last dtrace_session_go() to OUT, each line after "BPF: ". */
DTRACE_API void dtrace_session_print_log(const struct dtrace *d, FILE *out);

enum dtrace_status { DTRACE_WORK_OKAY, DTRACE_WORK_DONE };

/*
 * Wait for data (at most a second), consume and print it.  DONE after exit(), the end of all
 * target processes or dtrace_session_interrupt(): END has fired and everything was printed, final
 * newline and aggregations included.  Negative errno: processing failed.
 */
DTRACE_API int dtrace_session_work(struct dtrace *d);

/*
 * The two halves of dtrace_session_work(), for programs with a loop of their own: wait, and
 * consume what there is without waiting, with the same results.
 */
DTRACE_API int dtrace_session_wait(struct dtrace *d);
DTRACE_API int dtrace_session_poll(struct dtrace *d);

/* Why the next dtrace_session_work() will be DONE. */
enum dtrace_ending {
	DTRACE_ENDING_NOT,
	DTRACE_ENDING_EXIT,	   /* exit() was called */
	DTRACE_ENDING_FILLED,	   /* bufpolicy=fill: a buffer is full */
	DTRACE_ENDING_TARGETS,	   /* all target processes have ended */
	DTRACE_ENDING_STOPPED,	   /* dtrace_session_stop() */
	DTRACE_ENDING_INTERRUPTED, /* dtrace_session_interrupt() */
};
DTRACE_API enum dtrace_ending dtrace_session_ending(struct dtrace *d);

/*
 * Stop now: nothing fires any more but END.  dtrace_session_work() then consumes what is left and
 * is DONE.
 */
DTRACE_API int dtrace_session_stop(struct dtrace *d);

/* Stop in an orderly way; a second call discards what is left. Async-signal-safe. */
DTRACE_API void dtrace_session_interrupt(struct dtrace *d);

/* Whether anything was lost so far, as the messages about drops have said. */
DTRACE_API bool dtrace_session_dropped(const struct dtrace *d);

/* The argument of the last exit() consumed, else 0. */
DTRACE_API int dtrace_session_exit_status(const struct dtrace *d);

#ifdef __cplusplus
}
#endif

#endif
