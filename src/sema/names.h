/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names: the tables of D's built-in variables and functions, and D's versions.
 */
#ifndef SEMA_NAMES_H
#define SEMA_NAMES_H

#include "abi/aggregation.h"
#include "abi/record.h"
#include "probe/stability.h"

enum builtin_id {
#define BUILTIN(name, type, attrs, since, text, help) BUILTIN_##name,
#include "sema/builtins.def"
	BUILTIN_MAX,
};

enum func_id {
#define FUNCTION(name, klass, result, params, traits, help) FUNC_##name,
#include "sema/functions.def"
	FUNC_MAX,
};

enum func_class { CLASS_SUBR, CLASS_ACTION, CLASS_SPEC, CLASS_SYMBOL, CLASS_AGG, CLASS_LATER };

/* The source of a string built-in's characters. */
enum text_source {
	TEXT_NONE,   /* it is no string */
	TEXT_PROBE,  /* a part of the probe's name: recorded without bytes, or as the probe's id */
	TEXT_COMM,   /* the name of the current process, 16 bytes */
	TEXT_THREAD, /* the name of the current thread, 16 bytes */
	/*
	 * Run-time function f(slot, dst, tmp, task), which has DT_PATH_ROOM bytes at tmp; or
	 * f(slot, dst), which reads memory of the current process: if the probe is about another
	 * task, the text is that of TEXT_COMM.
	 */
	TEXT_RUNTIME,
};

struct builtin_text {
	enum text_source source;
	enum datum_kind part; /* TEXT_PROBE: DATUM_PROBEPROV .. DATUM_PROBEFILE */
	const char *function; /* TEXT_RUNTIME */
};

struct builtin {
	const char *name;
	enum builtin_id id;
	const char *type; /* NULL: not supported yet */
	struct attributes attrs;
	uint32_t since; /* DVERSION() that brought it, 0 = the first */
	struct builtin_text text;
	const char *help;
};

struct function {
	const char *name;
	enum func_id id;
	enum func_class klass;
	const char *result, *params, *help;
	bool destructive, evolving, extension;
	bool nullable;	/* a string that may be NULL */
	uint32_t since; /* DVERSION() that brought it, 0 = the first */
};

/* A version of D as __SUNW_D_VERSION has it (d-language 20). */
#define DVERSION(major, minor, micro) ((major) << 24 | (minor) << 12 | (micro))

/* "1.6.4" to DVERSION(); -EINVAL = malformed, -ENOENT = there is no such version. */
int64_t dversion_parse(const char *text);
/* Returns the version that a program has if it asks for none. */
uint32_t dversion_newest(void);

/* Return rows of the tables; I counts from 0, NULL past the end. */
const struct builtin *builtin_at(unsigned i);
const struct builtin *builtin_find(const char *name);
const struct function *function_at(unsigned i);
const struct function *function_find(const char *name);

/* Returns the row of an aggregating function F (CLASS_AGG). */
enum agg_func function_agg(const struct function *f);

#endif
