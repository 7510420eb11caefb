/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print: values, records and tables of the public interface (dtrace/data.h) as dtrace(8) prints
 * them.
 *
 * Everything here appends to a printer's buffer; who owns the printer writes it out.  Running
 * out of memory is remembered in the buffer (buf.failed).
 */
#ifndef PRINT_PRINT_H
#define PRINT_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "abi/aggregation.h"
#include "lang/format.h"

struct agg_share;
struct dtrace_agg_value;
struct dtrace_aggregation;
struct dtrace_record;
struct dtrace_row;
struct dtrace_table;
struct dtrace_value;
struct symtab;

/* The characters of pictures. */
enum print_encoding {
	PRINT_ANY,   /* nobody said: blocks only where there is no other good way (aggpack) */
	PRINT_ASCII, /* or nobody said and the terminal can do no better */
	PRINT_UTF8,
};

/* The options that change output. */
struct print_options {
	bool quiet, flowindent, rawbytes, noresolve;
	bool demangle, ustackline, ustackinline;
	bool agghist, aggpack, aggzoom;
	enum print_encoding encoding;
	uint32_t stackindent;
	uint32_t width;	    /* columns that tables fit; 0: DTrace's layout, whatever they hold */
	uint32_t printsize; /* bytes that print() shows; 0 = all that were recorded */
	bool noprefix;	    /* no CPU and ID columns */
	bool termsafe;	    /* traced text goes to a terminal: print_safe() */
};

struct printer {
	struct symtab *syms;	   /* NULL: addresses have no names */
	pid_t target;		   /* for %A of a plain integer */
	struct print_options opts; /* as they were when the record or table came */
	struct buf buf;
	/*
	 * Write out what is in the buffer, and empty it: tables may be far longer than records.  0
	 * or a negative errno.  NULL: everything is wanted in the buffer.
	 */
	int (*spill)(void *arg);
	void *spill_arg;
};

/* True if a record begins with the columns of its CPU, its probe and so on. */
static inline bool print_has_columns(const struct printer *pr)
{
	return pr->opts.flowindent || !pr->opts.quiet;
}

#define PRINT_PIECE (64 * 1024) /* bytes that are worth spilling */

/* Between two rows of a table. */
static inline int print_spill(struct printer *pr)
{
	return pr->spill && pr->buf.len >= PRINT_PIECE ? pr->spill(pr->spill_arg) : 0;
}

/* ---- escape.c ---- */

/* Append blanks until at least WIDTH bytes follow position FROM of the buffer. */
void print_pad(struct printer *pr, size_t from, size_t width);

/* Prints one byte as C writes it; QUOTE, if not NUL, and then the backslash, too, are escaped. */
void print_escaped(struct buf *b, unsigned char c, char quote);

/*
 * With option termsafe, makes what was traced and stands in the buffer from FROM on harmless to a
 * terminal: control characters other than newline and tab, and bytes that are no UTF-8, are shown
 * as print_escaped() writes them.
 */
void print_safe(struct printer *pr, size_t from);
/*
 * The same for a name, which has a line or column of its own: newlines and tabs are escaped as
 * well, with and without the option.
 */
void print_name_safe(struct printer *pr, size_t from);
/* As print_safe(), without looking at the option. */
void print_unsafe_escaped(struct buf *b, size_t from);

/* True if all bytes can be shown as they are: printable, white space, \a or \b. */
bool print_is_text(const char *s, size_t len);

/* ---- trace.c ---- */

/*
 * Prints the value of trace().  LITERAL: it is a constant of the program, whose own control
 * characters may move the cursor.
 */
void print_trace(struct printer *pr, const struct dtrace_value *v, bool literal);

/* ---- value.c: print() ---- */

/*
 * The value of print(), and before it its ADDRESS if that is not NULL, as lines of C; ends with a
 * newline.  The lines are PRINT_INDENT columns in, below the value's first line, if records have
 * columns.
 */
void print_value(
	struct printer *pr, const struct dtrace_value *v, const struct dtrace_value *address);

#define PRINT_INDENT 44 /* columns before the value */

/* ---- hexdump.c ---- */

void print_hexdump(struct printer *pr, const void *data, size_t len);
/* Print the LEN bytes of TEXT as a string of SIZE bytes: NULs fill it. */
void print_hex_string(struct printer *pr, const char *text, size_t len, size_t size);

/* ---- stack.c: stacks and symbols ---- */

/* A newline, then a line a frame, INDENT blanks before each; "..." ends a stack that is not whole.
 * Nothing for a stack without frames by its type (size 0).
 */
void print_stack(struct printer *pr, const struct dtrace_value *v, uint32_t indent);

/* Print sym(), mod(), usym(), uaddr() and umod() as the action does, and the text alone. */
void print_sym(struct printer *pr, const struct dtrace_value *v);
void print_sym_text(struct printer *pr, const struct dtrace_value *v);

/* ---- address.c ---- */

struct sym_info;

/*
 * Looks up the symbol at ADDR, of PID if USER; the name is demangled if the option is set.  Empty
 * fields: unknown.
 */
void print_look_up(
	const struct printer *pr, bool user, pid_t pid, uint64_t addr, struct sym_info *info);

/* The ways to spell an address. */
enum print_address {
	PRINT_PLACE,  /* "module`function+0x1f" */
	PRINT_SYMBOL, /* "module`function" */
	PRINT_OBJECT, /* "module" */
};

/* Prints ADDR, of which INFO is known. */
void print_address(struct printer *pr, enum print_address what, bool user,
	const struct sym_info *info, uint64_t addr);

/* The same, looked up: a place in the kernel, and in process PID. */
void print_kernel_addr(struct printer *pr, uint64_t addr);
void print_user_addr(struct printer *pr, pid_t pid, uint64_t addr);

/* ---- agg.c ---- */

/*
 * Prints rows FIRST to FIRST + N - 1 of T, N <= nrows - first; option agghist or aggpack make a
 * picture of all rows.  0, or what spilling gave, or -ENOMEM.
 */
int print_table(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n);

/* Prints the values of the CPUs after their total, a line each, if option aggpercpu is set. */
void print_cpus(struct printer *pr, const struct dtrace_agg_value *v);

/* ---- agg_key.c ---- */

/* The NKEYS keys of a row as columns, wide ones in tables and narrow ones in pictures. */
void print_keys(struct printer *pr, const struct dtrace_value *keys, unsigned nkeys);
void print_keys_packed(struct printer *pr, const struct dtrace_value *keys, unsigned nkeys);

/* Columns that print_keys_packed() fills, if no key is longer than it should be; 0 = no keys. */
uint32_t keys_packed_width(const struct dtrace_value *keys, unsigned nkeys);

/* Prints KEY alone; one that has lines of its own, a stack or a dump, ends with a newline. */
void print_key_text(struct printer *pr, const struct dtrace_value *key);

/* ---- agg_fit.c: option width ---- */

/* The columns of a table that fit its rows and option width; zeroed: DTrace's layout. */
struct fit {
	uint32_t *keys;	  /* by key; 0 = it has lines of its own */
	uint32_t *values; /* by aggregation; 0 = a distribution */
	unsigned nkeys;
	uint32_t key_columns; /* of all keys, with the blanks before them */
};

/*
 * Measures N rows of T from FIRST on.  PICTURE: bars or cells follow the keys, so many columns.
 * Does nothing if option width is not set.  0 or -ENOMEM; fit_free() frees what is in *OUT.
 */
int fit_table(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n,
	uint32_t picture, struct fit *out);
void fit_free(struct fit *f);

/* Prints the keys of a row in the columns of F; what is too long is cut in the middle. */
void print_keys_fit(struct printer *pr, const struct dtrace_value *keys, const struct fit *f);

/* ---- agg_picture.c ---- */

/*
 * True if agghist or aggpack want the rows as a picture; they do not if it is another function,
 * there are no keys to set bars next to, several aggregations, a format.
 */
bool picture_wanted(const struct printer *pr, const struct dtrace_table *t);

/* Prints N rows from FIRST on as such a picture. 0, -ENOMEM, or the error of spilling. */
int print_picture(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n);

/* ---- dist.c ---- */

/* A distribution's block: begins with a newline, ends with one; as wide as option width permits. */
void print_distribution(struct printer *pr, const struct dtrace_agg_value *v);

/* A distribution's buckets by their numbers (abi/aggregation.h), in which the empty ones have one
 * as well. */
struct dist_buckets {
	enum agg_func func;
	struct agg_params params;
	uint32_t n; /* buckets of the function */
	const struct dtrace_bucket *list;
	unsigned nlist;
};
void dist_buckets(const struct dtrace_agg_value *v, struct dist_buckets *out);

/*
 * Returns the count of bucket I.  *NEXT, 0 at first, makes that cheap when I grows from call to
 * call.
 */
int64_t dist_count(const struct dist_buckets *d, uint32_t i, unsigned *next);

/* Formats the label of bucket I, of at most 31 bytes; FIRST is the first bucket that is shown. */
void dist_label(const struct dist_buckets *d, uint32_t first, uint32_t i, char *text, size_t size);

/* ---- dist_bar.c ---- */

/* The common scale of a picture's bars or cells: zeroed, then bars_add() for each count. */
struct bars {
	unsigned __int128 total; /* of the magnitudes */
	uint64_t largest;	 /* magnitude */
	bool negative, positive; /* whether there are any such */
	uint32_t columns;	 /* of a bar of 100 %; 0 = BAR_COLUMNS */
};

#define BAR_COLUMNS 40 /* in DTrace's layout */

/*
 * Returns the columns of a bar if the line has OTHERS next to it: fewer than BAR_COLUMNS if option
 * width leaves no more.
 */
uint32_t bar_columns(const struct printer *pr, uint32_t others);

void bars_add(struct bars *b, int64_t count);

/* A newline, the line above bars of COLUMNS and what stands left of them: WHAT, in WIDTH columns.
 */
void print_bar_title(struct printer *pr, const char *what, uint32_t width, uint32_t columns);

/* Print a bar with its axis, and a cell of one column; COUNT is one of those that were added. */
void print_bar(struct printer *pr, const struct bars *bars, int64_t count);
void print_cell(struct printer *pr, const struct bars *bars, int64_t count);

/* ---- printf.c ---- */

/*
 * VALUE in decimal, on the right of at least WIDTH columns, as %*llu and %*lld of C print it; these
 * take several times as long.
 */
void print_unsigned(struct buf *b, uint64_t value, uint32_t width);
void print_signed(struct buf *b, int64_t value, uint32_t width);

/* VALUE in hexadecimal, after 0x. */
void print_hex(struct buf *b, uint64_t value);

struct format_args {
	const struct dtrace_value *values; /* arguments of printf(), keys of printa() */
	unsigned nvalues;
	uint64_t literals;		     /* bit N: values[N] is a constant of the program */
	const struct dtrace_agg_value *aggs; /* %@ */
	const struct agg_share *shares;	     /* %@r, %@R: one an aggregation */
	unsigned naggs;
};

/* 0, or -EINVAL where format and values do not go together. */
int print_format(struct printer *pr, const struct format *f, const struct format_args *args);

/* ---- flow.c: -F ---- */

struct flow {
	HEAPVEC(struct flow_cpu) cpus; /* by number */
};

/* Append the flow column's text for R and move the CPU's indentation. 0 or -ENOMEM. */
int flow_text(struct flow *f, const struct dtrace_record *r, struct buf *out);
void flow_free(struct flow *f);

#endif
