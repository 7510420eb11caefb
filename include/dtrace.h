/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classic interface of libdtrace, by the names that programs written for other systems' DTrace
 * and language bindings use, on top of <dtrace/dtrace.h>, which new programs should use: its
 * results have types, and it has no offsets to get wrong.  Both may be included together, but a
 * session is opened and used by one of them.
 *
 * A session: dtrace_open(), dtrace_setopt(), dtrace_program_strcompile(), dtrace_program_exec(),
 * dtrace_go(), then dtrace_sleep() and dtrace_work() until that says DONE, dtrace_aggregate_snap(),
 * a dtrace_aggregate_walk_...(), dtrace_close().  A handle is used by one thread.
 *
 * Errors: functions that return int give -1 on failure, those that return a pointer NULL, and
 * dtrace_errno() says why: an errno, or, from 1000 on, a number that dtrace_errmsg() knows.
 * Ownership: what is passed to a callback lives during the call, what a function returns until
 * dtrace_close(), unless it is said otherwise; strings passed in are copied.
 * Nothing is printed but to the streams that are passed in.
 *
 * What differs from the originals is said where it does; what there isn't at all: DOF, USDT
 * generation (dtrace_program_link), CTF, type and symbol look-up by structures, anonymous tracing.
 */
#ifndef DTRACE_H
#define DTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DTRACE_API
#define DTRACE_API __attribute__((visibility("default")))
#endif

typedef unsigned int uint_t;
typedef int processorid_t;

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_program dtrace_prog_t;
typedef struct dtrace_actdesc dtrace_actdesc_t; /* nothing is known of it */
struct ps_prochandle;				/* a target process */

typedef uint32_t dtrace_id_t;	 /* of a probe */
typedef uint32_t dtrace_epid_t;	 /* of an enabled probe: number of the clause, from 1 */
typedef uint32_t dtrace_aggid_t; /* of an aggregation */
typedef int64_t dtrace_aggvarid_t;
typedef uint16_t dtrace_actkind_t;
typedef int64_t dtrace_optval_t;

/* ---- stability ---- */

typedef uint8_t dtrace_stability_t;
typedef uint8_t dtrace_class_t;

#define DTRACE_STABILITY_INTERNAL 0
#define DTRACE_STABILITY_PRIVATE  1
#define DTRACE_STABILITY_OBSOLETE 2
#define DTRACE_STABILITY_EXTERNAL 3
#define DTRACE_STABILITY_UNSTABLE 4
#define DTRACE_STABILITY_EVOLVING 5
#define DTRACE_STABILITY_STABLE	  6
#define DTRACE_STABILITY_STANDARD 7
#define DTRACE_STABILITY_MAX	  7

#define DTRACE_CLASS_UNKNOWN  0
#define DTRACE_CLASS_CPU      1
#define DTRACE_CLASS_PLATFORM 2
#define DTRACE_CLASS_GROUP    3
#define DTRACE_CLASS_ISA      4
#define DTRACE_CLASS_COMMON   5
#define DTRACE_CLASS_MAX      5

typedef struct dtrace_attribute {
	dtrace_stability_t dtat_name;
	dtrace_stability_t dtat_data;
	dtrace_class_t dtat_class;
} dtrace_attribute_t;

/* "Evolving", "Common"; NULL: there is none. */
DTRACE_API const char *dtrace_stability_name(dtrace_stability_t s);
DTRACE_API const char *dtrace_class_name(dtrace_class_t c);

/* "Stable/Stable/Common" into BUF, cut at LEN; returns BUF. */
DTRACE_API char *dtrace_attr2str(dtrace_attribute_t attr, char *buf, size_t len);

/* ---- handle ---- */

#define DTRACE_VERSION 3 /* of this interface, for dtrace_open() */

#define DTRACE_O_NODEV 0x01 /* compile and list only: no privileges are needed */
#define DTRACE_O_NOSYS 0x02 /* accepted without effect */
#define DTRACE_O_LP64  0x04 /* the data model is the machine's */
#define DTRACE_O_ILP32 0x08 /* fails with EINVAL */
#define DTRACE_O_MASK  0x0f

/* A handle; NULL and *ERR (if ERR is not NULL), which dtrace_errmsg(NULL, *ERR) explains. */
DTRACE_API dtrace_hdl_t *dtrace_open(int version, int flags, int *err);
/* Stop tracing, kill the processes that dtrace_proc_create() made, free everything. */
DTRACE_API void dtrace_close(dtrace_hdl_t *dtp);

/* Why the last function that failed did. */
DTRACE_API int dtrace_errno(dtrace_hdl_t *dtp);
/*
 * The text of ERR; of the last error the detailed one, which for a program says where it is
 * wrong.  Lives until the next error.  DTP may be NULL.
 */
DTRACE_API const char *dtrace_errmsg(dtrace_hdl_t *dtp, int err);

/* DTRACEFLT_... in words: "divide-by-zero". */
DTRACE_API const char *dtrace_faultstr(dtrace_hdl_t *dtp, int fault);

#define DTRACEFLT_UNKNOWN   0
#define DTRACEFLT_BADADDR   1
#define DTRACEFLT_BADALIGN  2
#define DTRACEFLT_ILLOP	    3
#define DTRACEFLT_DIVZERO   4
#define DTRACEFLT_NOSCRATCH 5
#define DTRACEFLT_KPRIV	    6
#define DTRACEFLT_UPRIV	    7
#define DTRACEFLT_TUPOFLOW  8
#define DTRACEFLT_BADSTACK  9
#define DTRACEFLT_BADSIZE   10
#define DTRACEFLT_BADINDEX  11
#define DTRACEFLT_LOOPBOUND 12	 /* a loop ran as often as option loopbound allows */
#define DTRACEFLT_LIBRARY   1000 /* an action failed when it was carried out */

/* ---- options ---- */

#define DTRACEOPT_UNSET		   (-2)
#define DTRACEOPT_BUFPOLICY_RING   0
#define DTRACEOPT_BUFPOLICY_FILL   1
#define DTRACEOPT_BUFPOLICY_SWITCH 2
#define DTRACEOPT_BUFRESIZE_AUTO   0
#define DTRACEOPT_BUFRESIZE_MANUAL 1

/* As dtrace -x NAME=VALUE; VALUE NULL = without one. */
DTRACE_API int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value);
/* 1 or, if it is off, DTRACEOPT_UNSET; bytes; ns; DTRACEOPT_BUFPOLICY_...; the default if unset. */
DTRACE_API int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value);

/* ---- probes ---- */

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN  64
#define DTRACE_FUNCNAMELEN 128
#define DTRACE_NAMELEN	   64
#define DTRACE_FULLNAMELEN \
	(DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

/* Longer names are cut. */
typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* At which part a description with fewer than four begins. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

/* "a:b:c:d", the last part being SPEC's, in pieces; EINVAL when there are too many. */
DTRACE_API int dtrace_str2desc(
	dtrace_hdl_t *dtp, dtrace_probespec_t spec, const char *text, dtrace_probedesc_t *out);
/* "a:b:c:d", or the id if all are empty, into BUF, cut at LEN; returns BUF. */
DTRACE_API char *dtrace_desc2str(const dtrace_probedesc_t *p, char *buf, size_t len);
DTRACE_API int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *out);

/*
 * Each probe that PATTERN (NULL: all) matches, ascending by id: empty parts match anything, others
 * as in D.  F gives 0 to go on; what else it gives ends that, and is returned. No probe: -1.
 */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *p, void *arg);
DTRACE_API int dtrace_probe_iter(
	dtrace_hdl_t *dtp, const dtrace_probedesc_t *pattern, dtrace_probe_f *f, void *arg);

/* ---- programs ---- */

#define DTRACE_C_DIFV	0x0001 /* list the generated program on stderr (dtrace -S) */
#define DTRACE_C_EMPTY	0x0002 /* an empty program is no error */
#define DTRACE_C_ZDEFS	0x0004 /* nor are probes that don't exist */
#define DTRACE_C_EATTR	0x0008 /* without effect: option amin does it */
#define DTRACE_C_CPP	0x0010 /* run the preprocessor over files */
#define DTRACE_C_KNODEF 0x0020 /* without effect */
#define DTRACE_C_UNODEF 0x0040 /* without effect */
#define DTRACE_C_PSPEC	0x0080 /* what may be a probe description is one */
#define DTRACE_C_ETAGS	0x0100 /* name the kind of errors */
#define DTRACE_C_ARGREF 0x0200 /* macro arguments need not be used */
#define DTRACE_C_DEFARG 0x0800 /* those that are not there are 0 or "" */
#define DTRACE_C_NOLIBS 0x1000 /* load no D libraries */
#define DTRACE_C_CTL	0x2000 /* without effect: #! on the first line is always skipped */
#define DTRACE_C_MASK	0x3bff

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* least of the probe descriptions */
	dtrace_attribute_t dpi_stmtattr; /* and of the statements */
	uint_t dpi_aggregates;		 /* always 0 */
	uint_t dpi_recgens;		 /* always 0 */
	uint_t dpi_matches;		 /* (clause, probe) pairs */
	uint_t dpi_speculations;	 /* always 0 */
} dtrace_proginfo_t;

/*
 * Compile TEXT, or a whole script.  CFLAGS holds for this program alone.  ARGV[0] is $0, the rest
 * are $1.. (0 and NULL: there are none).  The program belongs to the handle.
 */
DTRACE_API dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text,
	dtrace_probespec_t spec, uint_t cflags, int argc, char *const argv[]);
DTRACE_API dtrace_prog_t *dtrace_program_fcompile(
	dtrace_hdl_t *dtp, FILE *fp, uint_t cflags, int argc, char *const argv[]);

/* Let P fire from dtrace_go() on, which says what can't be traced; INFO may be NULL. */
DTRACE_API int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_proginfo_t *info);
DTRACE_API void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_proginfo_t *info);

/* A clause's probe description; consecutive equal ones of a program are visited once. */
typedef struct dtrace_ecbdesc {
	dtrace_actdesc_t *dted_action; /* NULL */
	dtrace_probedesc_t dted_probe;
} dtrace_ecbdesc_t;
typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	dtrace_actdesc_t *dtsd_action, *dtsd_action_last; /* NULL */
} dtrace_stmtdesc_t;

/* F gives 0 to go on; what else it gives ends that, and is returned. */
typedef int dtrace_stmt_f(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_stmtdesc_t *s, void *arg);
DTRACE_API int dtrace_stmt_iter(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_stmt_f *f, void *arg);

/* ---- processes ---- */

/*
 * Start FILE (searched in PATH) with ARGV, its name included, up to a NULL; stopped before main().
 * Before dtrace_go(), which also lets it run.  The first one is $target; dtrace_close() kills it.
 */
DTRACE_API struct ps_prochandle *dtrace_proc_create(
	dtrace_hdl_t *dtp, const char *file, char *const *argv);
/* Follow process PID; FLAGS are without effect. When all processes have ended tracing does. */
DTRACE_API struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int flags);
/* These do nothing: a created process runs from dtrace_go() on, a grabbed one always. */
DTRACE_API void dtrace_proc_continue(dtrace_hdl_t *dtp, struct ps_prochandle *proc);
DTRACE_API void dtrace_proc_release(dtrace_hdl_t *dtp, struct ps_prochandle *proc);
DTRACE_API pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, struct ps_prochandle *proc);

/* ---- tracing ---- */

DTRACE_API int dtrace_go(dtrace_hdl_t *dtp);
/* Nothing fires any more but END; the next dtrace_work() consumes what is left and is DONE. */
DTRACE_API int dtrace_stop(dtrace_hdl_t *dtp);
/* Wait until there is something to do, at most a second. */
DTRACE_API void dtrace_sleep(dtrace_hdl_t *dtp);

#define DTRACE_STATUS_NONE    0 /* before dtrace_go() */
#define DTRACE_STATUS_OKAY    1
#define DTRACE_STATUS_EXITED  2 /* exit() was called, or all processes have ended */
#define DTRACE_STATUS_FILLED  3 /* with bufpolicy=fill */
#define DTRACE_STATUS_STOPPED 4 /* by dtrace_stop() */

/* What tracing is doing. */
DTRACE_API int dtrace_status(dtrace_hdl_t *dtp);

/* ---- records ---- */

/* What a record is of. */
#define DTRACEACT_NONE	  0
#define DTRACEACT_DIFEXPR 1 /* a value, of trace() or in a key */
#define DTRACEACT_EXIT	  2
#define DTRACEACT_PRINTF  3 /* an argument; one of size 0 if there are none */
#define DTRACEACT_PRINTA  4 /* 8 bytes, an aggregation's id */
#define DTRACEACT_LIBACT \
	5 /* clear, trunc, normalize, denormalize, setopt, ftruncate, print, pcap */
#define DTRACEACT_TRACEMEM   6
#define DTRACEACT_USTACK     0x0101 /* pid, then dtrd_arg frames, ended by 0 */
#define DTRACEACT_JSTACK     0x0102
#define DTRACEACT_USYM	     0x0103 /* pid, address */
#define DTRACEACT_UMOD	     0x0104
#define DTRACEACT_UADDR	     0x0105
#define DTRACEACT_STOP	     0x0201
#define DTRACEACT_RAISE	     0x0202
#define DTRACEACT_SYSTEM     0x0203
#define DTRACEACT_FREOPEN    0x0204
#define DTRACEACT_STACK	     0x0401 /* dtrd_arg frames, ended by 0 */
#define DTRACEACT_SYM	     0x0402 /* address */
#define DTRACEACT_MOD	     0x0403
#define DTRACEACT_BREAKPOINT 0x0501
#define DTRACEACT_PANIC	     0x0502
#define DTRACEACT_CHILL	     0x0503
#define DTRACEACT_SPECULATE  0x0601
#define DTRACEACT_COMMIT     0x0602
#define DTRACEACT_DISCARD    0x0603

#define DTRACEACT_CLASS(x)	     ((x)&0xff00)
#define DTRACEACT_PROC		     0x0100
#define DTRACEACT_PROC_DESTRUCTIVE   0x0200
#define DTRACEACT_KERNEL	     0x0400
#define DTRACEACT_KERNEL_DESTRUCTIVE 0x0500
#define DTRACEACT_SPECULATIVE	     0x0600
#define DTRACEACT_AGGREGATION	     0x0700
#define DTRACEACT_ISAGG(x)	     (DTRACEACT_CLASS(x) == DTRACEACT_AGGREGATION)

#define DTRACE_USTACK_NFRAMES(x) ((uint32_t)((x)&0xffffffffu))
#define DTRACE_USTACK_STRSIZE(x) ((uint32_t)((x) >> 32))

/*
 * DTRD_SIZE bytes at DTRD_OFFSET: a number of 1, 2, 4 or 8 bytes, a string that NULs fill up,
 * addresses of 8 bytes, or other bytes.  Sizes of strings and stacks differ from record to record:
 * use the description that comes with the data.
 */
typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;
	uint32_t dtrd_offset;
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* not 0: the action has a format */
	uint64_t dtrd_arg;
	uint64_t dtrd_uarg; /* 0 */
} dtrace_recdesc_t;

typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg; /* 0 */
	uint32_t dtepd_size; /* of the data */
	int dtepd_nrecs;
	dtrace_recdesc_t dtepd_rec[1]; /* dtepd_nrecs of them: of the actions that ran */
} dtrace_eprobedesc_t;

typedef enum dtrace_flowkind {
	DTRACEFLOW_ENTRY,
	DTRACEFLOW_RETURN,
	DTRACEFLOW_NONE
} dtrace_flowkind_t;

/* One firing of one clause. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	processorid_t dtpda_cpu;
	char *dtpda_data; /* of the whole record; the record callback gets it at its action's */
	dtrace_flowkind_t dtpda_flow;
	const char *dtpda_prefix; /* with option flowindent: "-> ", "<= ", "| "; else NULL */
	int dtpda_indent;	  /* with option flowindent */
	uint64_t dtpda_timestamp; /* 0 */
} dtrace_probedata_t;

#define DTRACE_CONSUME_ERROR (-1) /* dtrace_work() fails */
#define DTRACE_CONSUME_THIS  0	  /* go on, and write the action's text */
#define DTRACE_CONSUME_NEXT  1	  /* leave out the firing, or the action's text */
#define DTRACE_CONSUME_ABORT 2	  /* dtrace_work() fails with "Abort explicitly directed" */

/* Before a firing's actions, and for each of them; then with REC NULL. */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(
	const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg);

typedef enum dtrace_workstatus {
	DTRACE_WORKSTATUS_ERROR = -1,
	DTRACE_WORKSTATUS_OKAY,
	DTRACE_WORKSTATUS_DONE
} dtrace_workstatus_t;

/*
 * Consume what was recorded, without waiting: PF for each firing, RF for each action, in order
 * (with its first record; both may be NULL).  The text of actions, as dtrace -q writes it, goes to
 * FP; FP NULL: to the handler of dtrace_handle_buffered(), else nowhere.  Names and columns around
 * it, and the newline after a firing, are the caller's business (dtpda_cpu, dtpda_pdesc, REC NULL).
 * DONE: tracing is over and all of it was consumed; no aggregation was printed but by printa().
 * What system() runs may write before the text of the same firing.
 */
DTRACE_API dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
	dtrace_consume_rec_f *rf, void *arg);
/* The same for those who look at dtrace_status() themselves: 0 or -1. */
DTRACE_API int dtrace_consume(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
	dtrace_consume_rec_f *rf, void *arg);

/* ---- aggregations ---- */

#define DTRACEAGG_COUNT	     0x0701 /* int64_t, as sum, min and max */
#define DTRACEAGG_MIN	     0x0702
#define DTRACEAGG_MAX	     0x0703
#define DTRACEAGG_AVG	     0x0704 /* int64_t count, sum */
#define DTRACEAGG_SUM	     0x0705
#define DTRACEAGG_STDDEV     0x0706 /* int64_t count, sum; 128 bits: sum of squares */
#define DTRACEAGG_QUANTIZE   0x0707 /* int64_t[DTRACE_QUANTIZE_NBUCKETS] */
#define DTRACEAGG_LQUANTIZE  0x0708 /* uint64_t parameters; int64_t[levels + 2] */
#define DTRACEAGG_LLQUANTIZE 0x0709 /* uint64_t parameters; int64_t[see below] */

/* quantize: bucket B counts values from DTRACE_QUANTIZE_BUCKETVAL(B) on, away from zero. */
#define DTRACE_QUANTIZE_NBUCKETS   127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
#define DTRACE_QUANTIZE_BUCKETVAL(b)                                       \
	((int64_t)((b) < DTRACE_QUANTIZE_ZEROBUCKET                        \
			? -(1LL << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (b))) \
			: (b) == DTRACE_QUANTIZE_ZEROBUCKET                \
			? 0                                                \
			: 1LL << ((b)-DTRACE_QUANTIZE_ZEROBUCKET - 1)))

/*
 * lquantize's parameters, the first word of the value and dtrd_arg.  The first bucket counts what
 * is below the base, the last what is beyond the levels.
 */
#define DTRACE_LQUANTIZE_STEP(x)   ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LQUANTIZE_LEVELS(x) ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LQUANTIZE_BASE(x)   ((int32_t)(uint64_t)(x))

/*
 * llquantize's.  The first bucket counts what is below factor^low (negative values too: where the
 * buckets of <dtrace/dtrace.h> tell them apart), the last what is from factor^(high + 1) on;
 * between them a magnitude has nsteps - nsteps / factor buckets of equal width.
 */
#define DTRACE_LLQUANTIZE_FACTOR(x) ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LLQUANTIZE_LOW(x)    ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LLQUANTIZE_HIGH(x)   ((uint16_t)((uint64_t)(x) >> 16))
#define DTRACE_LLQUANTIZE_NSTEP(x)  ((uint16_t)(uint64_t)(x))

#define DTRACE_AGD_PRINTED 0x1 /* printa() has printed it */

typedef struct dtrace_aggdesc {
	char *dtagd_name; /* without @; "_" for the unnamed one */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid; /* 0 */
	uint32_t dtagd_size;	  /* of the data */
	int dtagd_nrecs;
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* the id (8 bytes), the keys, the value: dtagd_nrecs */
} dtrace_aggdesc_t;

/* One key of one aggregation. */
typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t *dtada_edesc; /* without records */
	dtrace_probedesc_t *dtada_pdesc;  /* empty */
	char *dtada_data;		  /* by the offsets of dtada_desc */
	uint64_t dtada_normal;		  /* what normalize() divides by; the data is not divided */
	size_t dtada_size;
	char *dtada_delta;   /* NULL */
	char **dtada_percpu; /* with option aggpercpu: the value (only) of each CPU; else NULL */
	char **dtada_percpu_delta; /* NULL */
	int64_t dtada_total;	   /* 0, as the rest */
	uint16_t dtada_minbin;
	uint16_t dtada_maxbin;
	uint32_t dtada_flags;
} dtrace_aggdata_t;

/*
 * What becomes of an entry that was visited.  CLEAR (the value becomes 0) and REMOVE are for
 * aggregations as a whole: a walk that says so of some keys only fails with ENOTSUP, having
 * changed nothing.  NORMALIZE: dtada_normal was set; it holds until the next
 * dtrace_aggregate_snap(), as does DENORMALIZE.
 */
#define DTRACE_AGGWALK_ERROR	   (-1)
#define DTRACE_AGGWALK_NEXT	   0
#define DTRACE_AGGWALK_ABORT	   1 /* the walk fails with "Abort explicitly directed" */
#define DTRACE_AGGWALK_CLEAR	   2
#define DTRACE_AGGWALK_NORMALIZE   3
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE	   5

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *data, void *arg);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);

/* Read the aggregations now: what the walks are about. From dtrace_go() on. */
DTRACE_API int dtrace_aggregate_snap(dtrace_hdl_t *dtp);
/* Set all values of all aggregations to 0. */
DTRACE_API void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

/*
 * Visit the keys of all aggregations as they were at the last dtrace_aggregate_snap(): in no
 * order, by aggregation and then key or value, or ("var") by key or value and then aggregation;
 * "rev": downwards.  0 or -1.
 */
DTRACE_API int dtrace_aggregate_walk(dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_keysorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_valsorted(dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_keyvarsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_valvarsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_keyrevsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_valrevsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_keyvarrevsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);
DTRACE_API int dtrace_aggregate_walk_valvarrevsorted(
	dtrace_hdl_t *dtp, dtrace_aggregate_f *f, void *arg);

/*
 * Read the aggregations and print what printa() has not printed, as dtrace(8) does at its end, to
 * FP, or, FP NULL, to the handler of dtrace_handle_buffered(), a chunk a key.  WALK, one of the
 * functions above, says in which order; NULL: the options do.
 */
DTRACE_API int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, dtrace_aggregate_walk_f *walk);

/* ---- handlers: each replaces the one before; NULL takes it away ---- */

#define DTRACE_HANDLE_ABORT (-1) /* dtrace_work() fails */
#define DTRACE_HANDLE_OK    0

/* Text that would have been written to a stream. */
#define DTRACE_BUFDATA_AGGKEY	 0x0001 /* it has an aggregation's keys */
#define DTRACE_BUFDATA_AGGVAL	 0x0002 /* its value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* and was made by a format of printa() */
#define DTRACE_BUFDATA_AGGLAST	 0x0008 /* nothing more comes of this key */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;	       /* the text */
	dtrace_probedata_t *dtbda_probe;       /* NULL: from dtrace_aggregate_print() */
	const dtrace_recdesc_t *dtbda_recdesc; /* the action's, or the value's; or NULL */
	const dtrace_aggdata_t *dtbda_aggdata; /* the key that is printed, or NULL */
	uint32_t dtbda_flags;		       /* DTRACE_BUFDATA_... */
} dtrace_bufdata_t;

typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);
DTRACE_API int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *f, void *arg);

/* A fault in a program. Without a handler dtrace_work() fails with "Abort due to error". */
typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc; /* without records */
	dtrace_probedesc_t *dteda_pdesc;
	processorid_t dteda_cpu; /* -1: not known */
	int dteda_action;	 /* 0 */
	int dteda_offset;	 /* -1: not known */
	int dteda_fault;	 /* DTRACEFLT_... */
	uint64_t dteda_addr;	 /* the address, size or index that was wrong */
	const char *dteda_msg;	 /* the whole message, without a newline */
} dtrace_errdata_t;

typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
DTRACE_API int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *f, void *arg);

/* Data was lost. Without a handler dtrace_work() fails with "Abort due to drop". */
typedef enum dtrace_dropkind {
	DTRACEDROP_PRINCIPAL,
	DTRACEDROP_AGGREGATION,
	DTRACEDROP_DYNAMIC,
	DTRACEDROP_DYNRINSE,
	DTRACEDROP_DYNDIRTY,
	DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY,
	DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW,
	DTRACEDROP_DBLERROR
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	processorid_t dtdda_cpu;      /* -1: not known */
	dtrace_dropkind_t dtdda_kind; /* others than those above count as PRINCIPAL */
	uint64_t dtdda_drops;	      /* since the last time */
	uint64_t dtdda_total;	      /* of this kind and CPU */
	const char *dtdda_msg;	      /* "3 drops on CPU 1", without a newline */
} dtrace_dropdata_t;

typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
DTRACE_API int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *f, void *arg);

/* setopt() in a program has changed an option. */
typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	dtrace_optval_t dtsda_oldval;
	dtrace_optval_t dtsda_newval;
} dtrace_setoptdata_t;

typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *data, void *arg);
DTRACE_API int dtrace_handle_setopt(dtrace_hdl_t *dtp, dtrace_handle_setopt_f *f, void *arg);

/* Process PROC has ended: MSG is NULL. Called from dtrace_work(). */
typedef void dtrace_handle_proc_f(struct ps_prochandle *proc, const char *msg, void *arg);
DTRACE_API int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *f, void *arg);

/* ---- addresses ---- */

/*
 * ADDR of the kernel, or of process PID, as it stands in stacks, into BUF, cut at LEN; from
 * dtrace_go() on with names.  The whole text's length with its NUL.
 */
DTRACE_API int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t addr, char *buf, int len);
DTRACE_API int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t addr, char *buf, int len);

#ifdef __cplusplus
}
#endif

#endif
