/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts that declare parameters with "#pragma tool" lines: what they declare, and how a parameter
 * gets another value than its default.
 */
#ifndef DTRACE_SCRIPT_H
#define DTRACE_SCRIPT_H

#include <dtrace/dtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter: a name of one letter is option -p of the script, a longer one is --name. */
struct dtrace_param {
	const char *name;
	const char *type;    /* "int", "string", "time", "size", "pid", "cgroup", "flag" */
	const char *word;    /* a value in usage texts, "PID"; NULL: a flag, which takes none */
	const char *help;    /* one line */
	const char *initial; /* the default as the script has it, D text; NULL: unknown */
};

/* What a script declares. */
struct dtrace_script {
	const char *usage; /* "opensnoop: files as they are opened"; NULL: nothing */
	const struct dtrace_param *params;
	unsigned nparams;
	int targets;	   /* 1: it traces $target, so the process of -p or -c is that */
	const char *error; /* NULL, or what is wrong with the line of this number */
	unsigned line;
};

/*
 * Read the "#pragma tool" lines of the script PATH.  Only a regular file is read.  Free the result
 * with dtrace_script_free().  NULL: PATH is no regular file, or cannot be read, or memory is
 * exhausted; errno says which (EINVAL: it is no regular file).
 */
DTRACE_API struct dtrace_script *dtrace_script_read(const char *path);
DTRACE_API void dtrace_script_free(struct dtrace_script *s);

/*
 * Give parameter P the value TEXT, in the programs that are compiled from now on; NULL for a flag.
 * -EINVAL: it is no value of the parameter's type; dtrace_session_error() says why.
 */
DTRACE_API int dtrace_script_set(struct dtrace *d, const struct dtrace_param *p, const char *text);

/*
 * Return the folder of the tools that belong to this library, which the caller frees.  NULL: there
 * is none (errno is ENOENT), or no memory (ENOMEM).
 */
DTRACE_API char *dtrace_tools_folder(void);

/*
 * Return the directory below which control groups have their names: where the whole file system of
 * cgroup2 is mounted.  The caller frees it.  NULL: there is none (errno is ENOENT), or no memory
 * (ENOMEM).
 */
DTRACE_API char *dtrace_cgroup_folder(void);

#ifdef __cplusplus
}
#endif

#endif
