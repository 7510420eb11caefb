/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdtrace: compile D programs, trace the running kernel with them, read the results.
 *
 * A session is one struct dtrace.  Compile programs into it, call dtrace_session_go() to load them
 * into the kernel, call dtrace_session_work() until it returns DTRACE_WORK_DONE, and free
 * everything with dtrace_session_close().  A session belongs to one thread.  Only
 * dtrace_session_interrupt() and dtrace_session_stage() can be called from a signal handler, and
 * only dtrace_session_attached() from another thread.
 *
 * Ownership: a returned pointer belongs to the session and is valid until dtrace_session_close(),
 * unless its comment says otherwise.  Strings passed in are copied.
 *
 * Errors: a function that returns int returns 0 or a negative errno, unless its comment says
 * otherwise; dtrace_session_error() then returns the message.  Every function that allocates can
 * return -ENOMEM, or NULL: then the session can only be closed, as its other functions may fail in
 * the same way.  The library never prints and never exits.  Results go to outputs and consumers,
 * messages about drops and run-time faults to the message handler.
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

/* Return the version of the D language, and the version of this library, as static strings. */
DTRACE_API const char *dtrace_version_d(void);
DTRACE_API const char *dtrace_version(void);

/*
 * Return the number of bytes of the UTF-8 character at TEXT, of at most LEN > 0, if a terminal only
 * shows it; 0: it is a control character other than newline and tab, changes the direction of text,
 * or is no UTF-8.
 */
DTRACE_API size_t dtrace_safe_char(const char *text, size_t len);

/*
 * Write the names and versions of the libraries that this one uses to BUF: at most SIZE bytes,
 * including the NUL.  Returns the length of the whole text, like snprintf(3).
 */
DTRACE_API int dtrace_version_libraries(char *buf, size_t size);

/* ---- session ---- */

/* Create a session with default options.  Returns NULL if memory is exhausted. */
DTRACE_API struct dtrace *dtrace_session_open(void);

/*
 * Stop tracing, kill the processes that dtrace_target_create() and dtrace_target_spawn() started,
 * and free the session.  D may be NULL.
 */
DTRACE_API void dtrace_session_close(struct dtrace *d);

/*
 * Return the message of the last error, without prefix or newline.  Never NULL; valid until the
 * next error.
 */
DTRACE_API const char *dtrace_session_error(const struct dtrace *d);

/*
 * Return a hint for the last error, for example "did you mean 'comm'?", or NULL if there is none.
 * Compile errors have hints only if option explain is on.
 */
DTRACE_API const char *dtrace_session_hint(const struct dtrace *d);

/*
 * Return NULL if this process has the privileges to trace, otherwise one line that names the
 * missing privilege and how to get it.
 */
DTRACE_API const char *dtrace_session_privileges(struct dtrace *d);

/*
 * Set option NAME to VALUE, or to the value that it has without one if VALUE is NULL.
 *
 * -ENOENT	there is no such option
 * -EINVAL	the value is invalid
 * -EOVERFLOW	the value is too large
 * -ENOTSUP	the option is not supported yet
 * -EBUSY	the option cannot be changed while tracing
 */
DTRACE_API int dtrace_option_set(struct dtrace *d, const char *name, const char *value);

/*
 * Store the value of option NAME in *VALUE: 0 or 1 for a boolean, bytes for a size, nanoseconds
 * for a rate, the number for a count.  For an option with a list of words it is the index, from 0,
 * in the list that dtrace_option_each() passes as KIND.  -ENOENT: there is no such option.
 */
DTRACE_API int dtrace_option_get(const struct dtrace *d, const char *name, int64_t *value);

/*
 * Reset option NAME to its default.  -ENOENT: there is no such option; -EBUSY: it cannot be changed
 * while tracing.
 */
DTRACE_API int dtrace_option_unset(struct dtrace *d, const char *name);

/*
 * Set each option NAME that has a variable DTRACE_OPT_<NAME> in the environment.  Invalid values
 * are ignored.
 */
DTRACE_API void dtrace_option_environment(struct dtrace *d);

/*
 * Set limit NAME of what programs may do to VALUE, as in dtrace.conf(5).  WHERE names its source in
 * messages, as "/etc/dtrace.conf:3".  Call it before the first program is compiled.
 *
 * -ENOENT	there is no such limit
 * -EINVAL	the value is invalid
 * -EEXIST	the limit is set already
 * -EBUSY	a program is compiled
 */
DTRACE_API int dtrace_limit_set(
	struct dtrace *d, const char *name, const char *value, const char *where);

/*
 * Call VISIT for each option, with its name, the syntax of its value and one line of help.  The
 * strings are valid during the call.
 */
DTRACE_API void dtrace_option_each(
	void (*visit)(void *arg, const char *name, const char *kind, const char *help), void *arg);

/* Set the stream for the output of options verbose (-S), dump and debug; the default is stderr. */
DTRACE_API void dtrace_set_dump(struct dtrace *d, FILE *out);

/*
 * Set the function that receives the message of each drop and run-time fault and the library's
 * other messages, without prefix or newline.  TEXT is valid during the call.
 */
DTRACE_API void dtrace_set_message_handler(
	struct dtrace *d, void (*handler)(void *arg, const char *text), void *arg);

/*
 * Set the macro arguments $1, $2 and so on of the programs that are compiled from now on.  ARGV is
 * not copied; it must stay valid until the last of them is compiled.
 */
DTRACE_API void dtrace_set_args(struct dtrace *d, int argc, char *const *argv);

/* Set $0 for programs that are not scripts.  ARGV0 is not copied, like ARGV above. */
DTRACE_API void dtrace_set_name(struct dtrace *d, const char *argv0);

/* ---- results ---- */

/*
 * Callbacks that receive the results, in addition to outputs.  Each can be NULL.  A callback
 * returns 0, or a negative errno to end tracing with that error.
 *
 * A record is one begin(), one item() for each action that ran, in order, and one end().  table()
 * receives the aggregations that are printed at the end of the session.
 *
 * dtrace_session_work() and dtrace_session_poll() call them; dtrace_session_go() calls them for the
 * records of BEGIN.  A callback can call dtrace_option_get(), dtrace_table_row(),
 * dtrace_table_text(), dtrace_address_text() and dtrace_session_interrupt(), but no other function
 * of the session.
 */
struct dtrace_consumer {
	void *arg;	  /* passed to each callback */
	bool want_text;	  /* fill in the text of each item and the prefix of each record */
	bool want_time;	  /* fill in the time of each record */
	bool want_thread; /* fill in the process, thread and their names of each record */
	int (*begin)(void *arg, const struct dtrace_record *r);
	int (*item)(void *arg, const struct dtrace_record *r, const struct dtrace_item *i);
	int (*end)(void *arg, const struct dtrace_record *r);
	int (*table)(void *arg, const struct dtrace_table *t);
	/*
	 * Table T of the aggregations as they are at TIME, ns since 1970, called every
	 * snapshot_interval ns (0: never) while tracing and once more when it has ended, for each
	 * aggregation that has keys; then with T NULL: that were all of them.  Their values count
	 * from the start, or from the last clear().
	 */
	uint64_t snapshot_interval;
	/* Asked before each snapshot while tracing: false skips it.  NULL: none is skipped. */
	bool (*wants_snapshot)(void *arg);
	int (*snapshot)(void *arg, uint64_t time, const struct dtrace_table *t);
	int (*drop)(void *arg, const struct dtrace_drop *drop);
	int (*fault)(void *arg, const struct dtrace_fault *fault);
	/* The session has ended.  Called once, after all other callbacks. */
	int (*finish)(void *arg);
	/* A batch of records has ended.  Write buffered data. */
	int (*flush)(void *arg);
};

/* Add a consumer.  C is copied.  -EBUSY: dtrace_session_go() was called. */
DTRACE_API int dtrace_consumer_add(struct dtrace *d, const struct dtrace_consumer *c);

/*
 * Add an output that writes all results in FORMAT, a name passed by dtrace_format_each(), to OUT.
 * The caller closes OUT after dtrace_session_close().  A session can have any number of outputs, at
 * most one of them with format text.
 *
 * -EINVAL	there is no such format, or there is another text output
 * -EOPNOTSUPP	the format is sent over a network: use dtrace_output_file()
 * -EBUSY	dtrace_session_go() was called
 */
DTRACE_API int dtrace_output_add(struct dtrace *d, const char *format, FILE *out);

/*
 * Add an output that is written as a whole when the session has ended, like a picture, to the file
 * PATH.  The end of the name selects one of the format's kinds, ".svg" for instance.  The file
 * appears, or replaces an older one, when it is complete; nothing is left of it if the session
 * fails.  A format that is sent over a network (dtrace_format_address()) has an address as PATH.
 * Format csv writes a file for each table as the results come if PATH ends with '/': PATH is then a
 * folder, which is made if it is missing, and files of the same names are replaced.
 *
 * -EINVAL	there is no such format, or PATH has an ending that it does not have
 * -EOPNOTSUPP	the format is written as the results come: use dtrace_output_add()
 * -EBUSY	dtrace_session_go() was called
 * others	open(2)'s: the file cannot be made
 */
DTRACE_API int dtrace_output_file(struct dtrace *d, const char *format, const char *path);

/*
 * Serve a page at PORT of 127.0.0.1 (0: any that is free) that shows the aggregations in browsers
 * while they change, as --web does.  *ADDRESS is what to open; it has a token, made for this
 * session alone, and stays valid until dtrace_session_close(), which stops the server.  The server
 * is a process without rights (docs/pictures.md).
 *
 * -ENOSYS	libmicrohttpd cannot be loaded
 * -EBUSY	dtrace_session_go() was called
 * others	listen(2)'s and those of the server's start
 */
DTRACE_API int dtrace_web(struct dtrace *d, uint16_t port, const char **address);

/*
 * Serve a page as dtrace_web() does, of the rows that --output=clickhouse sent to the ClickHouse
 * server at URL (docs/fleet.md).  Nothing is traced, and no privileges are needed.  The options
 * credentials and cafile say who reads, and which certificates are trusted.  Another process asks
 * the server.  Call dtrace_web_fleet_work() until the page is not needed any more;
 * dtrace_session_close() stops it.
 *
 * -EINVAL	the URL, or the file of credentials, is not one
 * -ENOSYS	libmicrohttpd or libcurl cannot be loaded
 * others	listen(2)'s, open(2)'s and those of the start of processes
 */
DTRACE_API int dtrace_web_fleet(
	struct dtrace *d, const char *url, uint16_t port, const char **address);

/*
 * Answer what browsers ask, and wait for that for at most MS milliseconds.  What the database
 * refuses is a message (dtrace_set_message_handler()) and no error.  0, or -EINTR: a signal came;
 * -EPIPE: the process that serves the page died.
 */
DTRACE_API int dtrace_web_fleet_work(struct dtrace *d, int ms);

/*
 * Return the address, HOST:PORT or a URL, of a format that is sent over a network and not written,
 * unless dtrace_output_file() has another one.  NULL: FORMAT is written, or there is no such
 * format.
 */
DTRACE_API const char *dtrace_format_address(const char *format);

/*
 * Write SQL for the database of a fleet (docs/fleet.md) to OUT.  WHAT is clickhouse, the tables;
 * clickhouse-rollup, the statements that sum rows up; or clickhouse-drop, the statement that prints
 * those which drop old days.  With ":CLUSTER" it is for the servers of a cluster of this name.
 *
 * -EINVAL	WHAT is none of these, or the name has other characters than letters, digits and _
 * -EIO		OUT cannot be written
 */
DTRACE_API int dtrace_schema(struct dtrace *d, const char *what, FILE *out);

/*
 * The agent of a fleet (docs/fleet.md): it runs the scripts that /etc/dtrace.conf allows while a
 * table of the fleet's database, or a file, says so.  NULL: there is not enough memory.
 */
struct dtrace_agent;
DTRACE_API struct dtrace_agent *dtrace_agent_new(void);
DTRACE_API void dtrace_agent_free(struct dtrace_agent *a);

/*
 * Begin section NAME of dtrace.conf(5), "agent" or "instrument NAME"; set KEY of it to VALUE.
 * WHERE names the place in messages, as "/etc/dtrace.conf:3".  0, or a negative errno and a message
 * that dtrace_agent_error() returns, without WHERE.
 */
DTRACE_API int dtrace_agent_section(struct dtrace_agent *a, const char *name, const char *where);
DTRACE_API int dtrace_agent_set(
	struct dtrace_agent *a, const char *key, const char *value, const char *where);
DTRACE_API const char *dtrace_agent_error(const struct dtrace_agent *a);

/*
 * Run the agent until dtrace_agent_interrupt(), and end what it started.  SAY receives a line for
 * each start, end and refusal, and what the scripts' dtrace processes say.  0, or a negative errno
 * and a message.
 *
 * It starts copies of the running program, which must be dtrace(8).
 */
DTRACE_API int dtrace_agent_run(
	struct dtrace_agent *a, void (*say)(void *arg, const char *text), void *arg);

/* Request the end of the agent.  Async-signal-safe. */
DTRACE_API void dtrace_agent_interrupt(struct dtrace_agent *a);

/* Call VISIT for each format, with its name and one line of help. */
DTRACE_API void dtrace_format_each(
	void (*visit)(void *arg, const char *name, const char *help), void *arg);

/*
 * Return row I, from 0, of T.  The row is valid until the next call for T.  Returns NULL if there
 * is no such row or memory is exhausted.
 */
DTRACE_API const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i);

/*
 * Return the text that the text output prints for N rows of T, starting with row FIRST, without the
 * newline that precedes a table in a record, and its length in *LEN.  Bars (options agghist and
 * aggpack) are scaled to these rows.  The text is valid until the next call for T.  Returns NULL if
 * there are no such rows or memory is exhausted.
 */
DTRACE_API const char *dtrace_table_text(
	const struct dtrace_table *t, unsigned first, unsigned n, size_t *len);

/*
 * The order of rows, as options aggsortkey, aggsortrev, aggsortkeypos and aggsortpos set it.  If
 * all members are zero, rows are sorted by value, ascending.
 */
struct dtrace_sort {
	bool by_key, reverse;
	unsigned key, value; /* index of the first sort key, and of the aggregation to sort by */
};

/*
 * Read the aggregations and call VISIT for each one that has keys, or only for aggregation NAME,
 * without @, if NAME is not NULL.  SORT is the order of the rows; NULL means the order set by the
 * options.  VISIT returns 0 to continue; any other value ends the walk and is returned.  T is valid
 * during the call.  -EINVAL: dtrace_session_go() was not called.
 */
DTRACE_API int dtrace_aggregation_each(struct dtrace *d, const char *name,
	const struct dtrace_sort *sort, int (*visit)(void *arg, const struct dtrace_table *t),
	void *arg);

/*
 * Set all values of aggregation NAME, without @, to zero, as clear() does; or remove all keys
 * except the N largest, or the -N smallest if N is negative, as trunc() does.  Both apply to the
 * values as last read; later counts remain.
 *
 * -ENOENT	there is no such aggregation
 * -EINVAL	dtrace_session_go() was not called
 */
DTRACE_API int dtrace_aggregation_clear(struct dtrace *d, const char *name);
DTRACE_API int dtrace_aggregation_trunc(struct dtrace *d, const char *name, int64_t n);

/*
 * Write the text of ADDRESS, as printed in stacks ("object`symbol+0x10"), to BUF.  The address is
 * in process PID, or in the kernel if PID is 0.  At most SIZE bytes are written, including the NUL.
 * Returns the length of the whole text, like snprintf(3).  Before dtrace_session_go() the text is
 * only the number.
 */
DTRACE_API int dtrace_address_text(
	struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size);

/* ---- saved sessions ---- */

/*
 * Pass the results that an output of format json wrote to IN, at its position, to the outputs and
 * consumers, as if the session ran.  NAME is the name of the file in errors.  Messages about drops
 * and faults that the file has go to the message handler, and one more if the session was cut
 * short.  Nothing is traced and no privileges are needed; dtrace_session_go() cannot be called.
 * Rows have no dtrace_table_text(), and a table without rows has no keys.  snapshot() is called for
 * the tables of the end, with the time of the last record, or now if there is none.
 *
 * -EBADMSG	the file is no such output, or is damaged
 * -EOPNOTSUPP	there is a consumer that wants text
 * -EBUSY	dtrace_session_go() or dtrace_view() was called
 * others	reading or writing failed
 */
DTRACE_API int dtrace_view(struct dtrace *d, FILE *in, const char *name);

/*
 * Show what changed since the session that an output of format json wrote to IN: outputs that can,
 * such as flamegraph, which were added before, compare the results with those.  The file is read
 * when dtrace_session_go() or dtrace_view() begins, which then can fail with -EBADMSG as
 * dtrace_view() does; the caller closes IN after that.  NAME is the name of the file in errors.
 *
 * -EOPNOTSUPP	there is no such output
 * -EBUSY	dtrace_session_go() or dtrace_view() was called
 */
DTRACE_API int dtrace_compare(struct dtrace *d, FILE *in, const char *name);

/* ---- target processes ---- */

/*
 * Start the command CMD, which is split into words as sh(1) does, without expansions; the first is
 * searched in PATH.  The process is held before main(), or at the point that option evaltime sets,
 * until tracing has begun.  The first process is $target.  dtrace_session_close() kills the process
 * if it is still running.  -EINVAL: CMD is empty, or a quote in it is not closed; otherwise the
 * error of fork(2), execve(2) or ptrace(2).
 */
DTRACE_API int dtrace_target_create(struct dtrace *d, const char *cmd);

/*
 * Start the program ARGV[0] with the arguments ARGV, which end with NULL, like
 * dtrace_target_create().  Its process id is stored in *PID if PID is not NULL.
 */
DTRACE_API int dtrace_target_spawn(struct dtrace *d, char *const *argv, pid_t *pid);

/*
 * Add the running process PID as a target.  The process is not stopped and not killed.  Tracing
 * ends when all targets have exited.  -ESRCH: there is no such process.
 */
DTRACE_API int dtrace_target_grab(struct dtrace *d, pid_t pid);

/* ---- compiling ---- */

/* The last part of a probe description in a command-line program: -P, -m, -f, -n, or -i. */
enum dtrace_spec {
	DTRACE_SPEC_PROVIDER,
	DTRACE_SPEC_MODULE,
	DTRACE_SPEC_FUNCTION,
	DTRACE_SPEC_NAME,
	DTRACE_SPEC_ID,
};

/*
 * Compile TEXT, or the script that is read from IN; PATH is its name in messages.  The caller
 * closes IN.  Return NULL on failure: dtrace_session_error() returns the first error in DTrace's
 * words, without "failed to compile ...", and dtrace_diag() returns each error.
 */
DTRACE_API struct dtrace_prog *dtrace_compile_string(
	struct dtrace *d, const char *text, enum dtrace_spec spec);
DTRACE_API struct dtrace_prog *dtrace_compile_file(struct dtrace *d, const char *path, FILE *in);

/* Include P when dtrace_session_go() starts tracing.  -EBUSY: tracing has begun. */
DTRACE_API int dtrace_prog_enable(struct dtrace *d, struct dtrace_prog *p);

/*
 * Generate code for all enabled programs, as dtrace_session_go() does, without loading it.  Writes
 * the listings of options verbose (-S) and dump.
 */
DTRACE_API int dtrace_session_check(struct dtrace *d);

/* Return the number of probes that P matches, counted once for each clause. */
DTRACE_API unsigned dtrace_prog_matches(const struct dtrace_prog *p);

/*
 * Return 1 if more probes can match while tracing, in libraries or processes that do not exist yet;
 * otherwise 0.
 */
DTRACE_API int dtrace_prog_awaits(const struct dtrace_prog *p);

/*
 * With option zdefs, return the description of clause I, counted from 0, of those in P that match
 * no probe and whose actions were not checked, because they do not compile without one; NULL: there
 * are no more.  P owns the text.
 */
DTRACE_API const char *dtrace_prog_unchecked(const struct dtrace_prog *p, unsigned i);

/*
 * Return the path of file I, counted from 0, of those in which P's probes are placed for all
 * processes and not for one, as with pid* or option follow; *PROCESSES is the number of processes
 * that map it now, targets included.  NULL: there are no more.  P owns the text.
 */
DTRACE_API const char *dtrace_prog_shared(
	struct dtrace *d, const struct dtrace_prog *p, unsigned i, unsigned *processes);

/* An error of the last failed compilation.  Valid until the next compilation. */
struct dtrace_diag {
	const char *tag;    /* "D_SYNTAX", or "" */
	const char *file;   /* NULL for command-line programs */
	unsigned line, col; /* from 1; 0 if unknown */
	const char *text;   /* the message; further lines begin with a tab */
	const char *source; /* the source line; NULL if unknown */
	const char *hint; /* as dtrace_session_hint(); NULL if none, or if option explain is off */
};

/*
 * Return the number of errors of the last failed compilation, and store error I, from 0, in *OUT.
 * -ENOENT: there is no error I.  Until the next compilation dtrace_option_get() returns the options
 * that the failed program had set.
 */
DTRACE_API unsigned dtrace_diag_count(const struct dtrace *d);
DTRACE_API int dtrace_diag(const struct dtrace *d, unsigned i, struct dtrace_diag *out);

/* ---- completion ---- */

enum dtrace_completion_kind {
	DTRACE_COMPLETION_PROVIDER, /* parts of a probe description, with the ':' that follows */
	DTRACE_COMPLETION_MODULE,
	DTRACE_COMPLETION_PROBEFUNC,
	DTRACE_COMPLETION_PROBE,
	DTRACE_COMPLETION_MEMBER, /* of a struct, union or translated type */
	DTRACE_COMPLETION_BUILTIN,
	DTRACE_COMPLETION_FUNCTION, /* with the '(' that follows */
	DTRACE_COMPLETION_VARIABLE, /* or inline */
	DTRACE_COMPLETION_CONSTANT,
	DTRACE_COMPLETION_AGGREGATION,
	DTRACE_COMPLETION_KEYWORD,
	DTRACE_COMPLETION_OPTION, /* with the '=' that follows, if it has a value */
	DTRACE_COMPLETION_VALUE,  /* of an option */
	DTRACE_COMPLETION_TYPE,	  /* the tag of a struct, union or enum */
};

struct dtrace_completion {
	enum dtrace_completion_kind kind;
	const char *text; /* replaces the text from START to the cursor */
	unsigned start;	  /* an offset, in bytes */
	const char *type; /* as people read it, "struct task_struct *"; "" if there is none */
	const char *help; /* one line, or "" */
};

/*
 * Call VISIT for each text that can stand at offset CURSOR of the unfinished D program TEXT, which
 * need not be correct.  "#pragma D option NAME" completes names of options.  In a part of a probe
 * description that has '*', the completions are the names that it matches.
 *
 * VISIT returns 0 to continue; any other value ends the walk and is returned.  C is valid during
 * the call.  Completions are sorted, members as they are declared.  Nothing is compiled into D.
 */
DTRACE_API int dtrace_complete(struct dtrace *d, const char *text, unsigned cursor,
	int (*visit)(void *arg, const struct dtrace_completion *c), void *arg);

/*
 * Say that CMD, split into words as dtrace_target_create() does, will be the target: from now on
 * dtrace_complete() offers the USDT probes of its program, which is searched in PATH, and of the
 * libraries that the program needs, with $target.  Nothing is started.  -EINVAL: CMD has no word.
 */
DTRACE_API int dtrace_complete_command(struct dtrace *d, const char *cmd);

/* ---- probes of programs ---- */

/*
 * Write the C and C++ header for the provider blocks of N programs to OUT, as -h does.  The header
 * defines two macros for probe X of provider P: P_X() is the probe, and P_X_ENABLED() tests whether
 * it is enabled.  NAME is the name of the file, for the include guard.  -E2BIG: a probe has too
 * many arguments; -EIO: writing failed.
 */
DTRACE_API int dtrace_header_write(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *name, FILE *out);

/*
 * Write the object file OUTPUT for the provider blocks of N programs, as -G does.  It defines the
 * semaphores of their probes.  OBJECTS are the paths of NOBJECTS relocatable files, which are
 * modified in place: calls of __dtrace_P___X(), as headers of other DTraces generate them, become
 * probes.
 *
 * -ENOENT	an object calls a probe that the programs do not declare
 * -EINVAL	an object is malformed, or not a relocatable file
 * -ENOTSUP	option linktype is not elf
 */
DTRACE_API int dtrace_objects_link(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *output, char *const *objects, unsigned nobjects);

/* ---- kernel features ---- */

enum dtrace_finding_kind {
	DTRACE_FINDING_PRIVILEGES, /* the privileges of this process; the first finding */
	DTRACE_FINDING_PROVIDER,   /* a provider */
	DTRACE_FINDING_FEATURE,	   /* a kernel feature that providers use */
};

enum dtrace_finding_status {
	DTRACE_FINDING_OK,
	DTRACE_FINDING_DEGRADED, /* available with restrictions */
	DTRACE_FINDING_MISSING,
};

struct dtrace_finding {
	enum dtrace_finding_kind kind;
	enum dtrace_finding_status status;
	const char *name; /* "privileges", "syscall", "kprobe_multi" */
	const char *why;  /* one line that names what is missing, or "" */
	unsigned probes;  /* number of listed probes; 0 if this is not a provider */
};

/*
 * Test which features this process can use, and call VISIT for each finding, in the order of enum
 * dtrace_finding_kind.  VISIT returns 0 to continue; any other value ends the walk and is returned.
 * F is valid during the call.  Each test is undone at once.  Takes some milliseconds, and longer if
 * there are many probes.  Needs no privileges.
 */
DTRACE_API int dtrace_doctor_each(
	struct dtrace *d, int (*visit)(void *arg, const struct dtrace_finding *f), void *arg);

/* ---- listing ---- */

/*
 * Call VISIT for each probe, ascending by id.  If VERBOSE is true, the attributes and arguments are
 * filled in as well.  VISIT returns 0 to continue; any other value ends the walk and is returned. P
 * is valid during the call.
 */
DTRACE_API int dtrace_probe_each(struct dtrace *d, bool verbose,
	int (*visit)(void *arg, const struct dtrace_probe *p), void *arg);

/* Callbacks of dtrace_prog_probe_each(). */
struct dtrace_prog_visitor {
	/*
	 * A probe description: DESC is its four parts, joined by ':', and NPROBES the number of
	 * probes that it matches.  If it matches none, MISSING is the reason or NULL, and with
	 * option explain dtrace_session_hint() can return a suggestion.
	 */
	void (*description)(void *arg, const char *desc, unsigned nprobes, const char *missing);
	/* A probe of that description.  Returns 0 to continue, or another value to end the walk. */
	int (*probe)(void *arg, const struct dtrace_probe *p);
	void *arg; /* passed to both */
};

/*
 * Call V for the probe descriptions of the clauses of P, in order, and for the probes of each one.
 * Consecutive equal descriptions are visited once.  VERBOSE is as for dtrace_probe_each().
 */
DTRACE_API int dtrace_prog_probe_each(
	struct dtrace *d, struct dtrace_prog *p, bool verbose, const struct dtrace_prog_visitor *v);

/* Store the minimum stability of the probe descriptions and of the statements of P. */
DTRACE_API void dtrace_prog_attributes(const struct dtrace_prog *p,
	struct dtrace_attributes *descriptions, struct dtrace_attributes *statements);

/* ---- help ---- */

/*
 * Return a text of some lines about NAME, with an example: a probe description ("io:::start"), an
 * argument of one ("io:::start args[0]"), a provider, built-in variable, function, action,
 * aggregating function, option, type ("struct file", "bufinfo_t"), word or operator of D, or a name
 * of the D libraries.  NULL if there is none: dtrace_session_error() says so, and
 * dtrace_session_hint() may have the name that was meant.
 */
DTRACE_API const char *dtrace_help(struct dtrace *d, const char *name);

/* A tested one-line use of dtrace. */
struct dtrace_example {
	const char *title;   /* what it answers: "Which files are opened, by program?" */
	const char *command; /* as a shell reads it: dtrace -n '...' */
	const char
		*needs; /* the kernel feature that it needs, as dtrace --doctor names it, or "" */
};

/* Store example I, counted from 0, in *OUT; its strings are static.  -ENOENT: there are fewer. */
DTRACE_API int dtrace_example(unsigned i, struct dtrace_example *out);

/* ---- tracing ---- */

/*
 * Start tracing: load the enabled programs, run BEGIN, attach the probes, and resume the held
 * target processes.  On failure nothing is traced.  -EBUSY: tracing has begun already.  Another
 * error can be that of a callback or of an output, which get what BEGIN says.
 */
DTRACE_API int dtrace_session_go(struct dtrace *d);

/*
 * Give up, for good, the capabilities, system calls and files that the session does not need any
 * more: it reads its buffers, writes to outputs that are open and finds names.  Nothing is given up
 * if its programs run commands.  System calls are those of the whole process; capabilities and
 * files (Landlock) those of the calling thread, what it starts and the session's own thread.  For
 * programs that do nothing else after dtrace_session_go().  If probes can come while tracing, a
 * process is forked that attaches to them; it ends with the calling thread.
 *
 * -EINVAL	dtrace_session_go() was not called
 */
DTRACE_API int dtrace_session_confine(struct dtrace *d);

/*
 * Set the function that dtrace_session_go() calls while it attaches programs; NULL: none.  It is
 * told that programs are attached to ATTACHED of ALL places.  The first call, with ATTACHED 0,
 * comes before the programs are loaded; the last one, with ALL 0, comes before BEGIN's output and
 * is left out if dtrace_session_go() fails earlier.  HANDLER runs in the calling thread, must
 * return soon, and must not call functions with D.
 */
DTRACE_API void dtrace_set_progress_handler(
	struct dtrace *d, void (*handler)(void *arg, unsigned attached, unsigned all), void *arg);

/*
 * Write the verifier's log of the last dtrace_session_go() to OUT.  Each line begins with "BPF: ".
 */
DTRACE_API void dtrace_session_print_log(const struct dtrace *d, FILE *out);

enum dtrace_status { DTRACE_WORK_OKAY, DTRACE_WORK_DONE };

/*
 * Wait for data, for at most a second, and pass it to the outputs and consumers.  Returns
 *
 * DTRACE_WORK_OKAY	tracing continues
 * DTRACE_WORK_DONE	tracing has ended (see enum dtrace_ending), END has fired, and all results,
 *			including the final newline and the aggregations, were passed on
 * -EINVAL		dtrace_session_go() was not called
 * -ECANCELED		option errexit is on, and a fault occurred
 * another negative errno	processing failed
 */
DTRACE_API int dtrace_session_work(struct dtrace *d);

/*
 * The two halves of dtrace_session_work(), for programs with their own event loop.
 * dtrace_session_wait() waits for data, for at most a second.  dtrace_session_poll() processes the
 * available data without waiting; its return values are those of dtrace_session_work().
 */
DTRACE_API int dtrace_session_wait(struct dtrace *d);
DTRACE_API int dtrace_session_poll(struct dtrace *d);

/* The reason why tracing ends. */
enum dtrace_ending {
	DTRACE_ENDING_NOT,	   /* tracing continues */
	DTRACE_ENDING_EXIT,	   /* the program called exit() */
	DTRACE_ENDING_FILLED,	   /* bufpolicy=fill: a buffer is full */
	DTRACE_ENDING_TARGETS,	   /* all target processes have exited */
	DTRACE_ENDING_STOPPED,	   /* dtrace_session_stop() was called */
	DTRACE_ENDING_INTERRUPTED, /* dtrace_session_interrupt() was called */
	DTRACE_ENDING_BEHIND,	   /* option deadman: records were dropped for so long; an error */
	DTRACE_ENDING_OVERHEAD,	   /* option maxoverhead: tracing took more; an error */
};

/* Return the reason why the next dtrace_session_work() will return DTRACE_WORK_DONE. */
DTRACE_API enum dtrace_ending dtrace_session_ending(struct dtrace *d);

/*
 * Stop tracing: detach all probes and run END.  The next dtrace_session_work() processes the
 * remaining data and returns DTRACE_WORK_DONE.  -EINVAL: dtrace_session_go() was not called.
 */
DTRACE_API int dtrace_session_stop(struct dtrace *d);

/*
 * Request the end of tracing.  The next dtrace_session_work() stops tracing; a second call discards
 * the remaining data.  Async-signal-safe.
 */
DTRACE_API void dtrace_session_interrupt(struct dtrace *d);

/* How far a session is. */
enum dtrace_stage {
	DTRACE_STAGE_START, /* BEGIN has not run: there is nothing to end in order */
	DTRACE_STAGE_TRACE, /* BEGIN has run, or runs */
	DTRACE_STAGE_END,   /* END has run: what remains is written, which may take long */
};

/* Return the stage of D.  Async-signal-safe. */
DTRACE_API enum dtrace_stage dtrace_session_stage(const struct dtrace *d);

/* Return true if a message about drops was passed to the message handler. */
DTRACE_API bool dtrace_session_dropped(const struct dtrace *d);

/* Return the argument of the exit() that ended tracing, or 0. */
DTRACE_API int dtrace_session_exit_status(const struct dtrace *d);

#ifdef __cplusplus
}
#endif

#endif
