/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options: the values of -x, "#pragma D option", setopt() and DTRACE_OPT_*, from the one table
 * options.def.
 *
 * Knows names, value syntaxes and who may set what when; does not know what an option does.
 * Everything lives in the arena given to options_new(); strings that come out are borrowed.
 */
#ifndef SESSION_OPTIONS_H
#define SESSION_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct options;

enum option_id {
#define OPTION(name, ...) OPT_##name,
#include "session/options.def"
	OPTION_COUNT,
};

/* Frames of a stack, at most: each CPU has memory for so many in each of its scratch slots. */
#define FRAMES_MOST 4096

enum option_kind {
	OPTION_FLAG,
	OPTION_BOOL,
	OPTION_NUMBER,
	OPTION_PERCENT,
	OPTION_SIZE,
	OPTION_RATE,
	OPTION_WORD,
	OPTION_WORDS,
	OPTION_TEXT,
	OPTION_LIST,
	OPTION_VERSION,	   /* of D; the number is a DVERSION() of sema/names.h */
	OPTION_ATTRIBUTES, /* Name/Data/Class; a byte each */
};

/* The value of a number that is not set and has no default: cpu, maxframes. */
#define OPTION_UNSET (-1)
/* lockmem=unlimited */
#define OPTION_UNLIMITED INT64_MAX

/* The most often that option cleanrate allows, as a period in ns. */
#define OPTION_LEAST_CLEANRATE (1000000000 / 5000)

/* The numbers of evaltime, and the bits of dump, disasm, tree and oformat. */
enum option_evaltime { EVALTIME_EXEC, EVALTIME_PREINIT, EVALTIME_POSTINIT, EVALTIME_MAIN };
enum option_dump { DUMP_AST = 1 << 0, DUMP_IR = 1 << 1, DUMP_BPF = 1 << 2 };
enum option_disasm { DISASM_CLAUSE = 1 << 0, DISASM_PROGRAM = 1 << 1 };
enum option_tree { TREE_PARSE = 1 << 0 };
enum option_overload { OVERLOAD_AUTO, OVERLOAD_WARN, OVERLOAD_SHED, OVERLOAD_END };
enum option_bufresize { BUFRESIZE_AUTO, BUFRESIZE_MANUAL };
enum option_oformat {
	OFORMAT_TEXT = 1 << 0,
	OFORMAT_JSON = 1 << 1,
	OFORMAT_XML = 1 << 2,
	OFORMAT_HTML = 1 << 3,
	OFORMAT_PRETTY = 1 << 4,
};
enum option_stdc { STDC_A, STDC_C, STDC_S, STDC_T };

enum option_origin { FROM_COMMAND, FROM_PRAGMA, FROM_SETOPT };

struct option_info {
	const char *name;
	enum option_kind kind;
	bool compile;  /* a pragma sets it for its own program only */
	bool dynamic;  /* setopt() may change it while tracing */
	bool nopragma; /* not from within a program */
	bool own;      /* refused if privilege_is_lent() */
	bool needs_value;
	int64_t number;	   /* default */
	const char *text;  /* words of a WORD or WORDS, default of a TEXT */
	const char *needs; /* what has to exist first; NULL = supported */
	const char *help;
	const char *unsupported; /* the error text when it is set */
};

/* One value of a LIST. */
struct option_item {
	enum option_id id;
	const char *value;
};

struct options *options_new(struct arena *a);

/* Returns the option called NAME, or -ENOENT. */
int options_find(const char *name);
const struct option_info *options_info(enum option_id id);

/* The syntax of its value, for people: "boolean", "a|c|s|t". Into BUF, which is returned. */
const char *options_syntax(enum option_id id, char *buf, size_t size);

/*
 * Set NAME; VALUE NULL = given without one.  ACTIVE: tracing has begun.  On failure *ERRTEXT
 * (if not NULL) has DTrace's text and the result says which: -ENOENT no such option, -EINVAL bad
 * value, -EOVERFLOW, -EPERM not from a pragma, -EACCES as own says, -EBUSY not while tracing,
 * -ENOTSUP not supported yet.
 */
int options_set(struct options *o, const char *name, const char *value, enum option_origin origin,
	bool active, const char **errtext);

/* Reset to the default; a LIST keeps its values.  -ENOENT, -EBUSY, and *ERRTEXT as above. */
int options_unset(struct options *o, const char *name, bool active, const char **errtext);

/*
 * What may help after setting NAME has failed with ERR: the option that was meant, or what the
 * value should look like; NULL = nothing is known.
 */
const char *options_hint(struct options *o, const char *name, int err);

/*
 * Apply _DTRACE_TESTING (quietresize, noprefix), DTRACE_DEBUG (debug) and DTRACE_OPT_<NAME>; what
 * is wrong is ignored.
 */
void options_from_environment(struct options *o);

/* Forget what the pragmas of the program that was compiled said about compiling. */
void options_end_program(struct options *o);

/* Make what the pragmas said about compiling hold for the session instead: they were libraries'. */
void options_keep_program(struct options *o);

/* FLAG, BOOL: 0 or 1; WORD: index of the word; WORDS: a bit for each. */
int64_t options_number(const struct options *o, enum option_id id);
bool options_on(const struct options *o, enum option_id id);
/* True if the option is set. */
bool options_given(const struct options *o, enum option_id id);
/* TEXT; NULL = not set and no default. */
const char *options_string(const struct options *o, enum option_id id);
/* Returns value I of a LIST, NULL = there are fewer. */
const char *options_nth(const struct options *o, enum option_id id, uint32_t i);
/* Returns the values of all LISTs in the order given (cpp's arguments need it). */
const struct option_item *options_items(const struct options *o, uint32_t *count);

#endif
