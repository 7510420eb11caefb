/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tracing produces, with types: records, aggregations, drops and faults, as a consumer
 * (dtrace_consumer_add() in dtrace.h) gets them.
 *
 * Everything here belongs to the session and lives during the call that it was passed to; names of
 * probes and aggregations live until dtrace_session_close().  Strings are never NULL unless it is
 * said.
 */
#ifndef DTRACE_DATA_H
#define DTRACE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dtrace_attributes {
	const char *name, *data, *klass; /* "Stable", "Stable", "Common" */
};

struct dtrace_probe {
	uint32_t id;
	const char *provider, *module, *function, *name;
	struct dtrace_attributes attr_probe, attr_args;
	unsigned nargs;
	const char *args[10]; /* type names of args[]; NULL = unknown */
	const char *cost;     /* what makes its firings dear, a line; NULL = nothing */
};

/* ---- values ---- */

enum dtrace_kind {
	DTRACE_KIND_INT,     /* number; of 16 bytes: bytes are its decimal digits */
	DTRACE_KIND_POINTER, /* number */
	DTRACE_KIND_FLOAT,   /* real; bytes are how it lay in memory */
	DTRACE_KIND_STRING,  /* bytes, without the NUL that ended it */
	DTRACE_KIND_BYTES,   /* bytes, of a struct, union or array, or of memory */
	DTRACE_KIND_STACK,   /* frames, innermost first */
	DTRACE_KIND_USTACK,  /* frames, of process pid */
	DTRACE_KIND_SYMBOL,  /* one frame: sym(), func(), mod() */
	DTRACE_KIND_USYMBOL, /* one frame, of process pid: usym(), ufunc(), uaddr(), umod() */
	DTRACE_KIND_STRUCT,  /* members; the rest only from print() */
	DTRACE_KIND_UNION,   /* members */
	DTRACE_KIND_ARRAY,   /* members without names */
	DTRACE_KIND_ENUM,    /* number; bytes are the enumerator's name, empty = it has none */
};

/* An address and what is there. */
struct dtrace_frame {
	uint64_t address;
	const char *object; /* module or file; "" = unknown */
	const char *symbol; /* "" = unknown */
	uint64_t offset;    /* from the symbol; without one from where the object is mapped */
	const char *text;   /* as the text output has it */
	const char *file;   /* base name of the source (option ustackline) */
	uint32_t line;	    /* in it; 0 = neither is known */
	bool inlined;	    /* no frame: a function inlined in the next one (option ustackinline) */
};

struct dtrace_member;

struct dtrace_value {
	enum dtrace_kind kind;
	const char *type; /* its D type; of a symbol sym, mod, usym, uaddr or umod; "" = unknown */
	uint32_t size;	  /* bytes of the type */
	bool is_signed;	  /* how number is meant */
	bool is_char;	  /* its type is char or an array of char */
	bool cut;	  /* a struct, union or array that was not recorded as a whole */
	uint64_t number;  /* extended to 64 bits by its sign */
	long double real;
	const char *bytes;
	size_t len;
	pid_t pid;
	const struct dtrace_frame *frames;
	unsigned nframes;
	/* those whose bytes are not all zero */
	const struct dtrace_member *members;
	unsigned nmembers;
};

struct dtrace_member {
	const char *name; /* "" = it has none */
	unsigned index;	  /* of an array's element */
	struct dtrace_value value;
};

/* ---- aggregations ---- */

enum dtrace_function {
	DTRACE_COUNT,
	DTRACE_SUM,
	DTRACE_MIN,
	DTRACE_MAX,
	DTRACE_AVG,
	DTRACE_STDDEV,
	DTRACE_QUANTIZE,
	DTRACE_LQUANTIZE,
	DTRACE_LLQUANTIZE,
};

struct dtrace_aggregation {
	const char *name; /* without @; "_" for the unnamed one */
	uint32_t id;	  /* 1, 2, ... in order of first use */
	enum dtrace_function function;
	const char *function_name; /* "quantize" */
	/* lquantize: base, limit, step; llquantize: factor, low, high, steps; else 0 */
	int32_t base, limit;
	uint32_t step, factor, low, high, steps;
	unsigned nkeys;
};

/* A bucket that is not empty: how many values V with low <= V <= high there were. */
struct dtrace_bucket {
	int64_t low, high;
	int64_t count;
};

/* The value of one key of one aggregation. */
struct dtrace_agg_value {
	const struct dtrace_aggregation *aggregation;
	bool present;	 /* false: this aggregation of several lacks the key */
	uint64_t normal; /* of normalize(); number is divided by it, the rest is not */
	int64_t number;	 /* what is shown; count() is unsigned; of a distribution 0 */
	/* what number was computed from: of avg() and stddev() count, sum, low and high 64 bits of
	 * the sum of squares; of min() and max() value, count; else the value */
	uint64_t words[4];
	const struct dtrace_bucket *buckets; /* ascending */
	unsigned nbuckets;
	const struct dtrace_agg_value *cpus; /* option aggpercpu: the same of each CPU, or NULL */
	unsigned ncpus;
};

struct dtrace_row {
	const struct dtrace_value *keys;       /* aggregation->nkeys of them */
	const struct dtrace_agg_value *values; /* one for each aggregation of the table */
	const char *text; /* of printa() with a format: what it prints for the row; else NULL */
	size_t text_len;
};

/* Rows of one aggregation, or of several joined by key, in the order of the sorting options. */
struct dtrace_table {
	const struct dtrace_aggregation *aggregations;
	unsigned naggregations;
	unsigned nrows;
	const char *format; /* of printa(), or NULL */
	bool final;	    /* nobody has printed it: it comes at the end of the session */
	const void *insides;
};

/* ---- records ---- */

enum dtrace_action {
	DTRACE_ACTION_TRACE,	 /* the value */
	DTRACE_ACTION_TRACEMEM,	 /* the bytes */
	DTRACE_ACTION_PRINTF,	 /* the arguments; text */
	DTRACE_ACTION_PRINTA,	 /* table */
	DTRACE_ACTION_STACK,	 /* stack(), ustack(), jstack(): the stack */
	DTRACE_ACTION_SYMBOL,	 /* sym(), usym(), ...: the symbol */
	DTRACE_ACTION_EXIT,	 /* the status */
	DTRACE_ACTION_CLEAR,	 /* table without rows: its aggregation */
	DTRACE_ACTION_TRUNC,	 /* the same; how many, if that was said */
	DTRACE_ACTION_NORMALIZE, /* the same; the factor */
	DTRACE_ACTION_DENORMALIZE,
	DTRACE_ACTION_SETOPT,  /* name; value, if there was one */
	DTRACE_ACTION_PRINT,   /* the value; the address it was at, if it was a pointer */
	DTRACE_ACTION_FREOPEN, /* the arguments; text is the file's name */
	DTRACE_ACTION_FTRUNCATE,
	DTRACE_ACTION_SYSTEM, /* the arguments; text is the command */
	DTRACE_ACTION_NONE,   /* it was carried out in the kernel: raise(), chill(), ... */
	DTRACE_ACTION_PCAP, /* bytes captured, link type, the bytes, whole length, ns since 1970 */
};

/*
 * What one action recorded.  system() has run, and freopen() is about the text output: what a
 * consumer writes goes where it always does.
 */
struct dtrace_item {
	enum dtrace_action action;
	const char *name; /* "trace" */
	const struct dtrace_value *values;
	unsigned nvalues;
	const char *format; /* of printf(), printa(), system(), freopen(); or NULL */
	/* what the text output prints; NULL but for formats, unless the consumer wants it */
	const char *text;
	size_t text_len;
	const struct dtrace_table *table; /* or NULL */
};

/* One firing of one clause (a part of it, where it records in loops). */
struct dtrace_record {
	const struct dtrace_probe *probe; /* without attributes and arguments */
	uint32_t clause;		  /* number in the session, from 0: dt_clause_N */
	uint32_t cpu;
	uint64_t time;	 /* ns since 1970; 0 = nobody asked for times before dtrace_session_go() */
	bool continued;	 /* not the first record of the clause in this firing */
	unsigned nitems; /* 0: the default action */
	/* how the text output begins: "  0    1   :BEGIN "; "" when quiet; NULL unless wanted */
	const char *prefix;
};

/* ---- what was lost, what went wrong ---- */

/*
 * Kinds, as option droptags has them: PRINCIPAL, AGGREGATION, DYNAMIC, SPEC, SPECUNAVAIL, DBLERROR;
 * and MISSED, firings of a probe inside its own program.
 */
struct dtrace_drop {
	const char *kind;
	int cpu;	  /* -1 = not known by CPU */
	uint64_t count;	  /* since the last time */
	uint64_t total;	  /* of this kind and CPU */
	const char *text; /* "3 drops on CPU 1" */
};

/* D's DTRACEFLT_* constants. */
enum dtrace_fault_code {
	DTRACE_FAULT_UNKNOWN,
	DTRACE_FAULT_BADADDR,
	DTRACE_FAULT_BADALIGN,
	DTRACE_FAULT_ILLOP,
	DTRACE_FAULT_DIVZERO,
	DTRACE_FAULT_NOSCRATCH,
	DTRACE_FAULT_KPRIV,
	DTRACE_FAULT_UPRIV,
	DTRACE_FAULT_TUPOFLOW,
	DTRACE_FAULT_BADSTACK,
	DTRACE_FAULT_BADSIZE,
	DTRACE_FAULT_BADINDEX,
	DTRACE_FAULT_LOOPBOUND,	     /* a loop ran as often as option loopbound allows */
	DTRACE_FAULT_LIBRARY = 1000, /* an action failed when it was carried out */
};

struct dtrace_fault {
	const struct dtrace_probe *probe; /* NULL = unknown */
	uint32_t clause;
	uint32_t cpu;
	enum dtrace_fault_code code;
	uint64_t value;	  /* the address, size or index, by code */
	const char *what; /* "invalid address (0x10)" */
	const char *text; /* the whole message, without prefix */
};

#ifdef __cplusplus
}
#endif

#endif
