/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print: the text forms of data, shared by the files of this folder.
 *
 * Everything here appends to a printer's buffer; who owns the printer writes it out.  Running
 * out of memory is remembered in the buffer (buf.failed).  A struct rec_view says where the bytes
 * of data lie; nothing here knows records, rows or files.
 */
#ifndef OUT_PRINT_H
#define OUT_PRINT_H

#include "abi/record.h"
#include "base/buf.h"
#include "base/heapvec.h"
#include "lang/format.h"
#include "out/sink.h"

struct agg_desc;
struct agg_row;
struct agg_table;
struct agg_value;
struct datum;
struct event;
struct rec_action;

#define DATUM_ROOM 1024 /* bytes of the longest text that flags have */

struct printer {
	struct sink_env env;
	struct out_options opts; /* as they were when the event or table came */
	struct buf buf;
	/*
	 * Write out what is in the buffer, and empty it: tables may be far longer than records.  0
	 * or a negative errno.  NULL: everything is wanted in the buffer.
	 */
	int (*spill)(struct printer *pr);
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
	return pr->spill && pr->buf.len >= PRINT_PIECE ? pr->spill(pr) : 0;
}

/* The bytes that datum offsets count from, and the probe that DATUM_PROBE* are about. */
struct rec_view {
	const uint8_t *base;
	const struct probe *probe; /* NULL in aggregation keys */
};

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

/* ---- datum.c: reading ---- */

/* An integer of 1, 2, 4 or 8 bytes, extended by its sign or by zeros; false: another size. */
bool datum_signed(const struct datum *d, const struct rec_view *src, int64_t *value);
bool datum_unsigned(const struct datum *d, const struct rec_view *src, uint64_t *value);

/*
 * Returns the text of a string-like datum (DATUM_STRING, CHARS, LITERAL, FLAGS, PROBE*); *LEN
 * excludes the NUL. *NUL: a NUL ended it.  NULL: not a string.  A text that is not kept anywhere is
 * made in ROOM.
 */
struct datum_room {
	char text[DATUM_ROOM];
};
const char *datum_text(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct datum_room *room, size_t *len, bool *nul);

/* Returns the bytes of string-like datum D, whose text has LEN characters: those of its D type. */
size_t datum_string_size(const struct datum *d, size_t len);

/*
 * True if D is an array of char that is shown as text: its bytes up to the first NUL are text, and
 * option rawbytes is off.  Integers of a byte that are not char are shown as bytes.
 */
bool datum_is_text(const struct printer *pr, const struct datum *d, const struct rec_view *src);
/* The same, for trace(): nothing but NULs may follow the first. */
bool datum_is_all_text(const struct printer *pr, const struct datum *d, const struct rec_view *src);

static inline const void *datum_bytes(const struct datum *d, const struct rec_view *src)
{
	return src->base + d->offset;
}

/* ---- trace.c ---- */

void print_trace(struct printer *pr, const struct datum *d, const struct rec_view *src);
/* Returns the number of bytes of a REC_TRACEMEM to show. */
size_t tracemem_size(const struct rec_action *act, const struct rec_view *src);
void print_tracemem(struct printer *pr, const struct rec_action *act, const struct rec_view *src);

/* ---- value.c: print() ---- */

/*
 * The address if it is there, then the value as lines of C; ends with a newline.  The lines are
 * PRINT_INDENT columns in, below the value's first line, if records have columns.
 */
void print_typed(struct printer *pr, const struct rec_action *act, const struct rec_view *src);

/* value_saved.c: the same of a saved session, after the indentation of its first line. */
struct dtrace_value;
void print_saved_value(struct printer *pr, const struct dtrace_value *v);

#define PRINT_INDENT 44 /* columns before the value */

/* Begin a line of print() at DEPTH. */
void print_value_indent(struct printer *pr, unsigned depth);
/*
 * Begin element INDEX of an array at EXPECTED, which is the index after the last one shown: as in a
 * C initialiser, "[INDEX] = " follows what is left out.
 */
void print_value_index(struct buf *b, uint64_t index, uint64_t expected);

/* ---- hexdump.c ---- */

void print_hexdump(struct printer *pr, const void *data, size_t len);
/* Print the LEN bytes of TEXT as a string of SIZE bytes: NULs fill it. */
void print_hex_string(struct printer *pr, const char *text, size_t len, size_t size);

/* ---- stack.c: stacks and addresses ---- */

#define STACK_EVICTED "[stack evicted]" /* in place of its frames */

bool datum_is_stack(const struct datum *d);
bool datum_is_sym(const struct datum *d);

/* The program counters of a stack that are to be shown, innermost first. */
struct stack_frames {
	bool user;
	bool part;    /* a user stack that is not whole */
	bool evicted; /* a stack that is not known any more */
	pid_t pid;    /* of a user stack */
	uint32_t n;
	const uint8_t *pcs; /* in the record, or of the stack that it names */
};
/* Fills OUT; false if no frames were asked for (ustackframes=0). */
bool stack_frames(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct stack_frames *out);
uint64_t stack_frame(const struct stack_frames *s, uint32_t i);

/* A newline, then a line a frame, INDENT blanks before each; "..." ends a stack that is not whole.
 */
void print_stack(
	struct printer *pr, const struct datum *d, const struct rec_view *src, uint32_t indent);

/* Print sym(), mod(), usym(), uaddr() and umod() as the action does, and the text alone. */
void print_sym(struct printer *pr, const struct datum *d, const struct rec_view *src);
void print_sym_text(struct printer *pr, const struct datum *d, const struct rec_view *src);

struct sym_info;
struct sym_line;

/*
 * Looks up the symbol at ADDR; the name is demangled if the option is set.  Empty fields: unknown.
 */
void print_look_up(
	const struct printer *pr, bool user, pid_t pid, uint64_t addr, struct sym_info *info);

/*
 * Looks up frame I of S in the same way.  The return address of a call may be after the last
 * instruction of the calling function.
 */
void stack_look_up(
	const struct printer *pr, const struct stack_frames *s, uint32_t i, struct sym_info *info);
void print_frame(struct printer *pr, const struct stack_frames *s, uint32_t i);

/*
 * Returns the source lines to be shown with frame I of a user stack: those of the functions inlined
 * there, and last that of the frame itself; 0 = none are wanted or known.
 */
uint32_t stack_lines(const struct printer *pr, const struct stack_frames *s, uint32_t i,
	const struct sym_line **lines);

/* Prints "object`function (file.c:12) [inlined]" for PID's ADDR. */
void print_inlined(struct printer *pr, pid_t pid, uint64_t addr, const struct sym_line *line);
/* Prints " (file.c:12)", if the option is set and the line known. */
void print_line(struct printer *pr, const struct sym_line *line);

/* Prints "module`function+0x1f". */
void print_kernel_addr(struct printer *pr, uint64_t addr);
void print_user_addr(struct printer *pr, pid_t pid, uint64_t addr);

/* ---- agg.c ---- */

/* 0, -EINVAL where the format and the table do not go together, or what spilling gave. */
int print_table(struct printer *pr, const struct agg_table *t);

/* Prints the values of the CPUs after their total, a line each, if option aggpercpu is set. */
void print_cpus(struct printer *pr, const struct agg_value *v);

/* ---- agg_key.c ---- */

/* A row's keys as columns, wide ones in tables and narrow ones in pictures. */
void print_keys(struct printer *pr, const struct agg_row *row);
void print_keys_packed(struct printer *pr, const struct agg_row *row);

/* Columns that print_keys_packed() fills, if no key is longer than it should be; 0 = no keys. */
uint32_t keys_packed_width(const struct agg_desc *desc);

/* Prints key I alone; one that has lines of its own, a stack or a dump, ends with a newline. */
void print_key_text(struct printer *pr, const struct agg_row *row, uint32_t i);

/* ---- agg_fit.c: option width ---- */

/* The columns of a table that fit its rows and option width; zeroed: DTrace's layout. */
struct fit {
	uint32_t *keys;	      /* by key; 0 = it has lines of its own */
	uint32_t *values;     /* by aggregation; 0 = a distribution */
	uint32_t key_columns; /* of all keys, with the blanks before them */
};

/*
 * Measures the rows of T.  PICTURE: bars or cells follow the keys, so many columns.  Does nothing
 * if option width is not set.  0 or -ENOMEM; fit_free() frees what is in *OUT.
 */
int fit_table(struct printer *pr, const struct agg_table *t, uint32_t picture, struct fit *out);
void fit_free(struct fit *f);

/* Prints the keys of a row in the columns of F; what is too long is cut in the middle. */
void print_keys_fit(struct printer *pr, const struct agg_row *row, const struct fit *f);

/* ---- agg_picture.c ---- */

/*
 * True if agghist or aggpack want the rows as a picture; they do not if it is another function,
 * there are no keys to set bars next to, several aggregations, a format.
 */
bool picture_wanted(const struct printer *pr, const struct agg_table *t);

/* Prints the rows as such a picture. 0, or the error of spilling. */
int print_picture(struct printer *pr, const struct agg_table *t);

/* ---- dist.c ---- */

/* A distribution's block: begins with a newline, ends with one; as wide as option width permits. */
void print_distribution(struct printer *pr, const struct agg_value *v);

/* Formats the label of bucket I, of at most 31 bytes; FIRST is the first bucket that is shown. */
void dist_label(const struct agg_desc *desc, uint32_t first, uint32_t i, char *text, size_t size);

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

struct format_args {
	const struct datum *data; /* values of printf(), keys of printa() */
	uint32_t ndata;
	const struct agg_value *values; /* %@ */
	const struct agg_share *shares; /* %@r, %@R: one a value */
	uint32_t nvalues;
	struct rec_view src;
};

/* 0, or -EINVAL where format and data do not go together. */
int print_format(struct printer *pr, const struct format *f, const struct format_args *args);

/* ---- flow.c: -F ---- */

struct flow {
	HEAPVEC(struct flow_cpu) cpus; /* by number */
};

/* Append the flow column's text for EV and move the CPU's indentation. 0 or -ENOMEM. */
int flow_text(struct flow *f, const struct event *ev, struct buf *out);
void flow_free(struct flow *f);

#endif
