/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The typed results of tracing: records, aggregations, drops and faults, as they are passed to
 * consumers (dtrace_consumer_add() in dtrace.h).
 *
 * All structs and strings belong to the session and are valid during the callback.  Names of probes
 * and aggregations are valid until dtrace_session_close().  A string is never NULL unless its
 * comment says so.
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

/* A member of a struct or union; of unnamed ones in it, the members. */
struct dtrace_arg_member {
	const char *name, *type;
};

struct dtrace_probe {
	uint32_t id;
	const char *provider, *module, *function, *name;
	struct dtrace_attributes attr_probe, attr_args; /* NULL unless VERBOSE was passed */
	unsigned nargs;
	const char *args[10]; /* type names of args[]; NULL if unknown */
	const char *cost; /* one line: the reason why a firing is expensive; NULL if it is not */
	const char *arg_names[10]; /* of args[]; NULL if unknown */
	/*
	 * The members of the struct or union that args[] is, or points to; nmembers is 0 for
	 * others.
	 */
	const struct dtrace_arg_member *members[10];
	unsigned nmembers[10];
	const char *file; /* the source file of the function; NULL if unknown */
	uint32_t line;	  /* the line at which it begins; 0 if unknown */
};

/* ---- values ---- */

enum dtrace_kind {
	/* the members of struct dtrace_value that hold the value */
	DTRACE_KIND_INT,     /* number; if size is 16, bytes holds the decimal digits */
	DTRACE_KIND_POINTER, /* number */
	DTRACE_KIND_FLOAT,   /* real; bytes holds its representation */
	DTRACE_KIND_STRING,  /* bytes, without the terminating NUL; an array of char that is text */
	DTRACE_KIND_BYTES,   /* bytes of a struct, a union, an array or memory */
	DTRACE_KIND_STACK,   /* frames, innermost first */
	DTRACE_KIND_USTACK,  /* frames of process pid */
	DTRACE_KIND_SYMBOL,  /* one frame: sym(), func(), mod() */
	DTRACE_KIND_USYMBOL, /* one frame of process pid: usym(), ufunc(), uaddr(), umod() */
	/* the following kinds come only from print() */
	DTRACE_KIND_STRUCT, /* members */
	DTRACE_KIND_UNION,  /* members */
	DTRACE_KIND_ARRAY,  /* members without names */
	DTRACE_KIND_ENUM,   /* number; bytes holds the name of the enumerator, or is empty */
};

/* A resolved address. */
struct dtrace_frame {
	uint64_t address;   /* 0 for a frame of a managed language */
	const char *object; /* kernel module or file, or the managed language; "" if unknown */
	const char *symbol; /* "" if unknown */
	/* from the symbol; if that is unknown, of a process: the address as it is in the file, of
	   the kernel: from the start of the module */
	uint64_t offset;
	const char *text; /* the text output */
	/* base name of the source file, and line in it: option ustackline, and managed languages;
	   "" and 0 if unknown */
	const char *file;
	uint32_t line;
	bool inlined;	 /* a function that was inlined in the next frame (option ustackinline) */
	bool first_line; /* the line is not that of the frame but of the function's beginning */
	/* of a managed language: interpreted, baseline, optimised, inlined or native; else "" */
	const char *kind;
};

struct dtrace_member;

struct dtrace_value {
	enum dtrace_kind kind;
	const char *type; /* the D type; for symbols sym, mod, usym, uaddr or umod; "" if unknown */
	uint32_t size;	  /* size of the type, in bytes */
	bool is_signed;	  /* number is signed */
	bool is_char;	  /* the type is char or an array of integers of one byte */
	bool cut;	  /* only a part of the struct, union, array or std::string was recorded */
	bool incomplete;  /* of a user stack: callers may be missing */
	uint64_t number;  /* sign-extended or zero-extended to 64 bits */
	long double real;
	const char *bytes;
	size_t len;
	pid_t pid;
	const struct dtrace_frame *frames;
	unsigned nframes;
	/* members whose bytes are not all zero */
	const struct dtrace_member *members;
	unsigned nmembers;
};

struct dtrace_member {
	const char *name; /* "" if it has none */
	unsigned index;	  /* index of an array element */
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
	/* lquantize uses base, limit, step; llquantize factor, low, high, steps; others are 0 */
	int32_t base, limit;
	uint32_t step, factor, low, high, steps;
	unsigned nkeys;
};

/* A bucket that is not empty: count values were in low <= value <= high. */
struct dtrace_bucket {
	int64_t low, high;
	int64_t count;
};

/* The value of one key of one aggregation. */
struct dtrace_agg_value {
	const struct dtrace_aggregation *aggregation;
	bool present;	 /* false if this one of several joined aggregations lacks the key */
	uint64_t normal; /* divisor of normalize(), at least 1; only number is divided by it */
	int64_t number;	 /* the printed value; unsigned for count(); 0 for a distribution */
	/* the inputs of number: for avg() and stddev() the count, the sum, and the low and high 64
	 * bits of the sum of squares; for min() and max() the value and the count; else the value
	 */
	uint64_t words[4];
	const struct dtrace_bucket *buckets; /* ascending */
	unsigned nbuckets;
	const struct dtrace_agg_value *cpus; /* value of each CPU with option aggpercpu, or NULL */
	unsigned ncpus;
};

struct dtrace_row {
	const struct dtrace_value *keys;       /* nkeys of the aggregation */
	const struct dtrace_agg_value *values; /* one for each aggregation of the table */
	const char *text; /* the output of printa() with a format for this row; else NULL */
	size_t text_len;
};

/*
 * Rows of one aggregation, or of several joined by key, in the order of the sorting options.
 * dtrace_table_row() returns a row.
 */
struct dtrace_table {
	const struct dtrace_aggregation *aggregations;
	unsigned naggregations;
	unsigned nrows;
	const char *format; /* of printa(), or NULL */
	bool final; /* printed at the end of the session, because printa() did not print it */
	const void *insides; /* private to the library */
	uint64_t time;	     /* when it was read, ns since 1970; 0: unknown, or without rows */
};

/* ---- records ---- */

enum dtrace_action {
	/* the values and other members of struct dtrace_item that an action sets */
	DTRACE_ACTION_TRACE,	   /* the value */
	DTRACE_ACTION_TRACEMEM,	   /* the bytes */
	DTRACE_ACTION_PRINTF,	   /* the arguments; text */
	DTRACE_ACTION_PRINTA,	   /* table */
	DTRACE_ACTION_STACK,	   /* stack(), ustack(), jstack(): the stack */
	DTRACE_ACTION_SYMBOL,	   /* sym(), usym(), ...: the symbol */
	DTRACE_ACTION_EXIT,	   /* the status */
	DTRACE_ACTION_CLEAR,	   /* table, without rows */
	DTRACE_ACTION_TRUNC,	   /* table, without rows; the number of keys, if given */
	DTRACE_ACTION_NORMALIZE,   /* table, without rows; the divisor */
	DTRACE_ACTION_DENORMALIZE, /* table, without rows */
	DTRACE_ACTION_SETOPT,	   /* the name; the value, if given */
	DTRACE_ACTION_PRINT,	   /* the value; its address, if the argument was a pointer */
	DTRACE_ACTION_FREOPEN,	   /* the arguments; text is the name of the file */
	DTRACE_ACTION_FTRUNCATE,   /* none */
	DTRACE_ACTION_SYSTEM,	   /* the arguments; text is the command */
	DTRACE_ACTION_NONE,	   /* none; carried out in the kernel: raise(), chill(), ... */
	/* number of captured bytes, link type, the bytes, length of the packet, ns since 1970 */
	DTRACE_ACTION_PCAP,
};

/*
 * The data of one action.  The command of system() has run already.  freopen() affects only the
 * text output, not the consumer's.
 */
struct dtrace_item {
	enum dtrace_action action;
	const char *name; /* "trace" */
	const struct dtrace_value *values;
	unsigned nvalues;
	const char *format; /* of printf(), printa(), system(), freopen(); or NULL */
	/* the text output; NULL for actions without a format, unless want_text is set */
	const char *text;
	size_t text_len;
	const struct dtrace_table *table; /* or NULL */
};

/* A firing of a clause, or a part of it if the clause records in a loop. */
struct dtrace_record {
	const struct dtrace_probe *probe; /* without attributes and arguments */
	uint32_t clause;		  /* number in the session, from 0: dt_clause_N */
	uint32_t cpu;
	uint64_t time; /* ns since 1970; 0 unless an output or consumer wants it */
	/* of what fired the probe, as pid, tid and so on; 0 and "" unless a consumer wants them */
	pid_t pid, tid;
	const char *execname, *threadname;
	bool continued;	 /* not the first record of the clause in this firing */
	unsigned nitems; /* 0 for the default action */
	/* start of the text output, "  0    1   :BEGIN "; "" if quiet; NULL unless want_text */
	const char *prefix;
};

/* ---- drops and faults ---- */

/* Lost data. */
struct dtrace_drop {
	/*
	 * As printed by option droptags: PRINCIPAL, AGGREGATION, DYNAMIC, SPEC, SPECUNAVAIL,
	 * DBLERROR; STACK, stacks that stacksize had no room for; MISSED, the firings of a probe
	 * inside its own program; STOPPED, those of clocks that the kernel had stopped; IDLE,
	 * those on CPUs that were idle and whose kernel hides that, or that the host did not run;
	 * UNCOUNTED, milliseconds in which a CPU did not count a hardware event; UNPLACED, the
	 * processes that ran before their probes were placed, whose firings are unknown;
	 * UNPLACEDNET, the network namespaces whose first packets are; RETURN, returns of calls
	 * that were nested too deep for option returns=address; or UNSEEN, lost events of processes
	 * (fork, exec, mapping, end), each perhaps of one more of these.
	 */
	const char *kind;
	int cpu;	  /* -1 if unknown */
	uint64_t count;	  /* since the last drop of this kind and CPU */
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
	DTRACE_FAULT_LOOPBOUND,	     /* a loop exceeded option loopbound */
	DTRACE_FAULT_LIBRARY = 1000, /* an action failed in user space */
};

/* A place in a D program. */
struct dtrace_place {
	const char *file;	/* NULL for a command-line program */
	unsigned line, column;	/* from 1; the column is in bytes */
	const char *source;	/* the source line, without a newline; NULL if unknown */
	const char *expression; /* the expression, blanks reduced to one; NULL for a statement */
};

/* A run-time fault. */
struct dtrace_fault {
	const struct dtrace_probe *probe; /* NULL if unknown */
	uint32_t clause;
	uint32_t cpu;
	enum dtrace_fault_code code;
	uint64_t value;	  /* the address, size or index, depending on code */
	const char *what; /* "invalid address (0x10)" */
	const char *text; /* the whole message, without prefix */
	/* The statement of the clause that faulted, from 1; 0 is the predicate. */
	unsigned action;
	/*
	 * The expression that faulted, as the clause has it, or the call of the action that failed
	 * in user space; NULL if unknown.  If the clause uses an inline, a function or a
	 * translator, PLACE is that use, and DEFINITION is the expression in the definition that
	 * faulted; otherwise it is NULL.
	 */
	const struct dtrace_place *place, *definition;
};

#ifdef __cplusplus
}
#endif

#endif
