/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classic interface of libdtrace, with the names that programs and language bindings for the
 * DTrace of other systems use.  It is written with <dtrace/dtrace.h>, which new programs should
 * use, because its results are typed.  A program can include both headers, but opens and uses a
 * session with only one of them.
 *
 * The calls of a session, in order: dtrace_open(), dtrace_setopt(), dtrace_program_strcompile(),
 * dtrace_program_exec(), dtrace_go(); dtrace_sleep() and dtrace_work() until it returns
 * DTRACE_WORKSTATUS_DONE; dtrace_aggregate_snap(), one of dtrace_aggregate_walk_...(),
 * dtrace_close().  A handle belongs to one thread.
 *
 * Errors: a function that returns int returns -1 on failure, one that returns a pointer returns
 * NULL.  dtrace_errno() then returns an errno, or a number from 1000 on; dtrace_errmsg() returns
 * the text of both.
 *
 * Ownership: an argument of a callback is valid during the call, a result until dtrace_close(),
 * unless its comment says otherwise.  Strings passed in are copied.  The library prints only to
 * streams that are passed in.
 *
 * Comments note each difference to other systems.  DOF, USDT generation (dtrace_program_link), CTF,
 * look-up of types and symbols by structures, and anonymous tracing do not exist.
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
typedef struct dtrace_actdesc dtrace_actdesc_t; /* never defined */
struct ps_prochandle;				/* a target process */

typedef uint32_t dtrace_id_t;	 /* id of a probe */
typedef uint32_t dtrace_epid_t;	 /* id of an enabled probe: number of the clause, from 1 */
typedef uint32_t dtrace_aggid_t; /* id of an aggregation */
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

/* Return the name of S or C, for example "Evolving" or "Common"; NULL if it is out of range. */
DTRACE_API const char *dtrace_stability_name(dtrace_stability_t s);
DTRACE_API const char *dtrace_class_name(dtrace_class_t c);

/* Write ATTR ("Stable/Stable/Common") to BUF, at most LEN bytes with the NUL.  Returns BUF. */
DTRACE_API char *dtrace_attr2str(dtrace_attribute_t attr, char *buf, size_t len);

/* ---- handle ---- */

#define DTRACE_VERSION 3 /* version of this interface, for dtrace_open() */

#define DTRACE_O_NODEV 0x01 /* only compile and list; needs no privileges */
#define DTRACE_O_NOSYS 0x02 /* no effect */
#define DTRACE_O_LP64  0x04 /* no effect: the data model is that of the machine */
#define DTRACE_O_ILP32 0x08 /* fails with EINVAL */
#define DTRACE_O_MASK  0x0f

/*
 * Open a handle.  VERSION is DTRACE_VERSION, FLAGS are DTRACE_O_...  On failure returns NULL and
 * stores the error in *ERR if ERR is not NULL; dtrace_errmsg(NULL, *ERR) returns its text.
 */
DTRACE_API dtrace_hdl_t *dtrace_open(int version, int flags, int *err);
/* Stop tracing, kill the processes that dtrace_proc_create() started, and free the handle. */
DTRACE_API void dtrace_close(dtrace_hdl_t *dtp);

/* Return the error of the last function that failed. */
DTRACE_API int dtrace_errno(dtrace_hdl_t *dtp);
/*
 * Return the text of ERR.  If ERR is the last error, the text is the detailed message, which for a
 * compile error includes the place.  Valid until the next error.  DTP can be NULL.
 */
DTRACE_API const char *dtrace_errmsg(dtrace_hdl_t *dtp, int err);

/* Return the name of fault DTRACEFLT_..., for example "divide-by-zero". */
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
#define DTRACEFLT_LOOPBOUND 12	 /* a loop exceeded option loopbound */
#define DTRACEFLT_LIBRARY   1000 /* an action failed in user space */

/* ---- options ---- */

#define DTRACEOPT_UNSET		   (-2)
#define DTRACEOPT_BUFPOLICY_RING   0
#define DTRACEOPT_BUFPOLICY_FILL   1
#define DTRACEOPT_BUFPOLICY_SWITCH 2
#define DTRACEOPT_BUFRESIZE_AUTO   0
#define DTRACEOPT_BUFRESIZE_MANUAL 1

/* Set option NAME to VALUE, like dtrace -x; VALUE NULL sets the option without a value. */
DTRACE_API int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value);
/*
 * Store the value of option NAME, or its default, in *VALUE: 1 or DTRACEOPT_UNSET for a boolean,
 * bytes for a size, nanoseconds for a rate, DTRACEOPT_BUFPOLICY_... for bufpolicy.
 */
DTRACE_API int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value);

/* ---- probes ---- */

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN  64
#define DTRACE_FUNCNAMELEN 128
#define DTRACE_NAMELEN	   64
#define DTRACE_FULLNAMELEN \
	(DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

/* A probe.  Longer names are truncated. */
typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* The last part of a description that has fewer than four parts. */
typedef enum dtrace_probespec {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

/*
 * Split TEXT, "a:b:c:d", into its parts; SPEC is the last one.  Fails with EINVAL if there are too
 * many parts.
 */
DTRACE_API int dtrace_str2desc(
	dtrace_hdl_t *dtp, dtrace_probespec_t spec, const char *text, dtrace_probedesc_t *out);
/*
 * Write "a:b:c:d", or the id if all parts are empty, to BUF, at most LEN bytes with the NUL.
 * Returns BUF.
 */
DTRACE_API char *dtrace_desc2str(const dtrace_probedesc_t *p, char *buf, size_t len);
/* Store the probe with this id in *OUT. */
DTRACE_API int dtrace_id2desc(dtrace_hdl_t *dtp, dtrace_id_t id, dtrace_probedesc_t *out);

/*
 * Call F for each probe that PATTERN matches, ascending by id.  Empty parts match anything, others
 * match as in D; NULL matches all probes.  F returns 0 to continue; any other value ends the walk
 * and is returned.  Returns -1 if no probe matches.
 */
typedef int dtrace_probe_f(dtrace_hdl_t *dtp, const dtrace_probedesc_t *p, void *arg);
DTRACE_API int dtrace_probe_iter(
	dtrace_hdl_t *dtp, const dtrace_probedesc_t *pattern, dtrace_probe_f *f, void *arg);

/* ---- programs ---- */

#define DTRACE_C_DIFV	0x0001 /* list the generated program on stderr (dtrace -S) */
#define DTRACE_C_EMPTY	0x0002 /* permit an empty program */
#define DTRACE_C_ZDEFS	0x0004 /* permit descriptions that match no probe */
#define DTRACE_C_EATTR	0x0008 /* no effect; use option amin */
#define DTRACE_C_CPP	0x0010 /* run the preprocessor on files */
#define DTRACE_C_KNODEF 0x0020 /* no effect */
#define DTRACE_C_UNODEF 0x0040 /* no effect */
#define DTRACE_C_PSPEC	0x0080 /* treat ambiguous words as probe descriptions */
#define DTRACE_C_ETAGS	0x0100 /* print the tag of errors */
#define DTRACE_C_ARGREF 0x0200 /* permit unused macro arguments */
#define DTRACE_C_DEFARG 0x0800 /* missing macro arguments are 0 or "" */
#define DTRACE_C_NOLIBS 0x1000 /* load no D libraries */
#define DTRACE_C_CTL	0x2000 /* no effect; #! in the first line is always skipped */
#define DTRACE_C_MASK	0x3bff

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* minimum stability of the probe descriptions */
	dtrace_attribute_t dpi_stmtattr; /* minimum stability of the statements */
	uint_t dpi_aggregates;		 /* always 0 */
	uint_t dpi_recgens;		 /* always 0 */
	uint_t dpi_matches;		 /* number of matched probes, once for each clause */
	uint_t dpi_speculations;	 /* always 0 */
} dtrace_proginfo_t;

/*
 * Compile TEXT, or the script that is read from FP.  CFLAGS are DTRACE_C_... for this program only.
 * ARGV[0] is $0, ARGV[1] is $1 and so on; ARGC 0 and ARGV NULL mean no arguments.  The program
 * belongs to the handle.
 */
DTRACE_API dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *dtp, const char *text,
	dtrace_probespec_t spec, uint_t cflags, int argc, char *const argv[]);
DTRACE_API dtrace_prog_t *dtrace_program_fcompile(
	dtrace_hdl_t *dtp, FILE *fp, uint_t cflags, int argc, char *const argv[]);

/*
 * Include P when dtrace_go() starts tracing, and store the data of dtrace_program_info() in *INFO
 * if INFO is not NULL.  Probes that cannot be traced are reported by dtrace_go().
 */
DTRACE_API int dtrace_program_exec(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_proginfo_t *info);
/* Store the stability and the number of matched probes of P in *INFO. */
DTRACE_API void dtrace_program_info(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_proginfo_t *info);

/* The probe description of a clause.  Consecutive equal descriptions are visited once. */
typedef struct dtrace_ecbdesc {
	dtrace_actdesc_t *dted_action; /* NULL */
	dtrace_probedesc_t dted_probe;
} dtrace_ecbdesc_t;
typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	dtrace_actdesc_t *dtsd_action, *dtsd_action_last; /* NULL */
} dtrace_stmtdesc_t;

/*
 * Call F for each clause of P.  F returns 0 to continue; any other value ends the walk and is
 * returned.
 */
typedef int dtrace_stmt_f(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_stmtdesc_t *s, void *arg);
DTRACE_API int dtrace_stmt_iter(dtrace_hdl_t *dtp, dtrace_prog_t *p, dtrace_stmt_f *f, void *arg);

/* ---- processes ---- */

/*
 * Start program FILE, which is searched in PATH, with arguments ARGV, which include the name and
 * end with NULL.  The process is held before main() until dtrace_go() resumes it.  The first
 * process is $target.  dtrace_close() kills the process.  Call this before dtrace_go().
 */
DTRACE_API struct ps_prochandle *dtrace_proc_create(
	dtrace_hdl_t *dtp, const char *file, char *const *argv);
/*
 * Add the running process PID.  Tracing ends when all processes have exited.  FLAGS have no effect.
 */
DTRACE_API struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *dtp, pid_t pid, int flags);
/* No effect: dtrace_go() resumes created processes, and grabbed processes are never stopped. */
DTRACE_API void dtrace_proc_continue(dtrace_hdl_t *dtp, struct ps_prochandle *proc);
DTRACE_API void dtrace_proc_release(dtrace_hdl_t *dtp, struct ps_prochandle *proc);
/* Return the process id of PROC. */
DTRACE_API pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, struct ps_prochandle *proc);

/* ---- tracing ---- */

/* Start tracing: load the programs, run BEGIN, attach the probes, and resume created processes. */
DTRACE_API int dtrace_go(dtrace_hdl_t *dtp);
/*
 * Stop tracing: detach all probes and run END.  The next dtrace_work() processes the remaining data
 * and returns DTRACE_WORKSTATUS_DONE.
 */
DTRACE_API int dtrace_stop(dtrace_hdl_t *dtp);
/* Wait for data, for at most a second. */
DTRACE_API void dtrace_sleep(dtrace_hdl_t *dtp);

#define DTRACE_STATUS_NONE    0 /* before dtrace_go() */
#define DTRACE_STATUS_OKAY    1
#define DTRACE_STATUS_EXITED  2 /* exit() was called, or all processes have exited */
#define DTRACE_STATUS_FILLED  3 /* a buffer is full (bufpolicy=fill) */
#define DTRACE_STATUS_STOPPED 4 /* dtrace_stop() was called */

/* Return the state of tracing, DTRACE_STATUS_... */
DTRACE_API int dtrace_status(dtrace_hdl_t *dtp);

/* ---- records ---- */

/* The kind of data in a record. */
#define DTRACEACT_NONE	  0
#define DTRACEACT_DIFEXPR 1 /* the value of trace(), or a key */
#define DTRACEACT_EXIT	  2
#define DTRACEACT_PRINTF  3 /* an argument; one record of size 0 if there are none */
#define DTRACEACT_PRINTA  4 /* id of the aggregation, 8 bytes */
#define DTRACEACT_LIBACT \
	5 /* clear, trunc, normalize, denormalize, setopt, ftruncate, print, pcap */
#define DTRACEACT_TRACEMEM   6
#define DTRACEACT_USTACK     0x0101 /* pid, then at most dtrd_arg frames, terminated by 0 */
#define DTRACEACT_JSTACK     0x0102
#define DTRACEACT_USYM	     0x0103 /* pid, address */
#define DTRACEACT_UMOD	     0x0104
#define DTRACEACT_UADDR	     0x0105
#define DTRACEACT_STOP	     0x0201
#define DTRACEACT_RAISE	     0x0202
#define DTRACEACT_SYSTEM     0x0203
#define DTRACEACT_FREOPEN    0x0204
#define DTRACEACT_STACK	     0x0401 /* at most dtrd_arg frames, terminated by 0 */
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
 * A record has dtrd_size bytes at dtrd_offset: an integer of 1, 2, 4 or 8 bytes, a string padded
 * with NULs, addresses of 8 bytes, or other bytes.  The size of strings and stacks varies, so use
 * the description that comes with the data.
 */
typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;
	uint32_t dtrd_offset;
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* not 0 if the action has a format */
	uint64_t dtrd_arg;
	uint64_t dtrd_uarg; /* 0 */
} dtrace_recdesc_t;

typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg; /* 0 */
	uint32_t dtepd_size; /* size of the data, in bytes */
	int dtepd_nrecs;
	dtrace_recdesc_t dtepd_rec[1]; /* dtepd_nrecs elements: the actions that ran */
} dtrace_eprobedesc_t;

typedef enum dtrace_flowkind {
	DTRACEFLOW_ENTRY,
	DTRACEFLOW_RETURN,
	DTRACEFLOW_NONE
} dtrace_flowkind_t;

/* A firing of a clause. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	processorid_t dtpda_cpu;
	char *dtpda_data; /* the whole record; in the record callback the data of the action */
	dtrace_flowkind_t dtpda_flow;
	const char *dtpda_prefix; /* "-> ", "<= ", "| " with option flowindent, or NULL */
	int dtpda_indent;	  /* indentation with option flowindent */
	uint64_t dtpda_timestamp; /* 0 */
} dtrace_probedata_t;

#define DTRACE_CONSUME_ERROR (-1) /* dtrace_work() fails */
#define DTRACE_CONSUME_THIS  0	  /* continue, and write the text of the action */
#define DTRACE_CONSUME_NEXT  1	  /* skip the firing, or the text of the action */
#define DTRACE_CONSUME_ABORT 2	  /* dtrace_work() fails with "Abort explicitly directed" */

/*
 * Callbacks: the first is called before the actions of a firing, the second for each action and
 * then once with REC NULL.
 */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *data, void *arg);
typedef int dtrace_consume_rec_f(
	const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg);

typedef enum dtrace_workstatus {
	DTRACE_WORKSTATUS_ERROR = -1,
	DTRACE_WORKSTATUS_OKAY,
	DTRACE_WORKSTATUS_DONE
} dtrace_workstatus_t;

/*
 * Process the recorded data without waiting.  PF is called for each firing, RF for each action, in
 * order, with its first record; both can be NULL.
 *
 * The text of actions, as dtrace -q prints it, is written to FP.  If FP is NULL, it is passed to
 * the handler of dtrace_handle_buffered(), if any.  The caller prints the columns before the text
 * and the newline after a firing (dtpda_cpu, dtpda_pdesc, REC NULL).  The output of a command run
 * by system() can precede the text of the same firing.
 *
 * Returns DTRACE_WORKSTATUS_DONE when tracing has ended and all data were processed.  Only printa()
 * has printed aggregations then.
 */
DTRACE_API dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
	dtrace_consume_rec_f *rf, void *arg);
/* Like dtrace_work(), for programs that call dtrace_status() themselves.  Returns 0 or -1. */
DTRACE_API int dtrace_consume(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *pf,
	dtrace_consume_rec_f *rf, void *arg);

/* ---- aggregations ---- */

#define DTRACEAGG_COUNT	     0x0701 /* int64_t, like sum, min and max */
#define DTRACEAGG_MIN	     0x0702
#define DTRACEAGG_MAX	     0x0703
#define DTRACEAGG_AVG	     0x0704 /* int64_t count, sum */
#define DTRACEAGG_SUM	     0x0705
#define DTRACEAGG_STDDEV     0x0706 /* int64_t count, sum; the sum of squares, 128 bits */
#define DTRACEAGG_QUANTIZE   0x0707 /* int64_t[DTRACE_QUANTIZE_NBUCKETS] */
#define DTRACEAGG_LQUANTIZE  0x0708 /* uint64_t parameters; int64_t[levels + 2] */
#define DTRACEAGG_LLQUANTIZE 0x0709 /* uint64_t parameters; int64_t[see below] */

/*
 * quantize: bucket B counts the values from DTRACE_QUANTIZE_BUCKETVAL(B) up to the next bucket,
 * away from zero.
 */
#define DTRACE_QUANTIZE_NBUCKETS   127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
#define DTRACE_QUANTIZE_BUCKETVAL(b)                                       \
	((int64_t)((b) < DTRACE_QUANTIZE_ZEROBUCKET                        \
			? -(1LL << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (b))) \
			: (b) == DTRACE_QUANTIZE_ZEROBUCKET                \
			? 0                                                \
			: 1LL << ((b)-DTRACE_QUANTIZE_ZEROBUCKET - 1)))

/*
 * The parameters of lquantize, in dtrd_arg and in the first word of the value.  The first bucket
 * counts values below the base, the last one values above the last level.
 */
#define DTRACE_LQUANTIZE_STEP(x)   ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LQUANTIZE_LEVELS(x) ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LQUANTIZE_BASE(x)   ((int32_t)(uint64_t)(x))

/*
 * The parameters of llquantize.  The first bucket counts values below factor^low, including
 * negative values, which <dtrace/dtrace.h> reports separately.  The last bucket counts values from
 * factor^(high + 1) on.  Between them each magnitude has nsteps - nsteps / factor buckets of equal
 * width.
 */
#define DTRACE_LLQUANTIZE_FACTOR(x) ((uint16_t)((uint64_t)(x) >> 48))
#define DTRACE_LLQUANTIZE_LOW(x)    ((uint16_t)((uint64_t)(x) >> 32))
#define DTRACE_LLQUANTIZE_HIGH(x)   ((uint16_t)((uint64_t)(x) >> 16))
#define DTRACE_LLQUANTIZE_NSTEP(x)  ((uint16_t)(uint64_t)(x))

#define DTRACE_AGD_PRINTED 0x1 /* printa() has printed the aggregation */

typedef struct dtrace_aggdesc {
	char *dtagd_name; /* without @; "_" for the unnamed one */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid; /* 0 */
	uint32_t dtagd_size;	  /* size of the data, in bytes */
	int dtagd_nrecs;
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* dtagd_nrecs elements: id (8 bytes), keys, value */
} dtrace_aggdesc_t;

/* One key of one aggregation. */
typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t *dtada_edesc; /* without records */
	dtrace_probedesc_t *dtada_pdesc;  /* empty */
	char *dtada_data;		  /* at the offsets in dtada_desc */
	uint64_t dtada_normal;		  /* divisor of normalize(); the data are not divided */
	size_t dtada_size;
	char *dtada_delta;   /* NULL */
	char **dtada_percpu; /* the value, without keys, of each CPU with option aggpercpu, or NULL
			      */
	char **dtada_percpu_delta; /* NULL */
	int64_t dtada_total;	   /* 0, like the following members */
	uint16_t dtada_minbin;
	uint16_t dtada_maxbin;
	uint32_t dtada_flags;
} dtrace_aggdata_t;

/*
 * What a callback does with the entry.  CLEAR sets its value to 0, REMOVE removes it.  Both must be
 * returned for all keys of an aggregation or for none; otherwise the walk changes nothing and fails
 * with ENOTSUP.  NORMALIZE uses the dtada_normal that the callback has set, DENORMALIZE resets it;
 * both are valid until the next dtrace_aggregate_snap().
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

/* Read the aggregations, for the walks below.  Call this after dtrace_go(). */
DTRACE_API int dtrace_aggregate_snap(dtrace_hdl_t *dtp);
/* Set all values of all aggregations to 0. */
DTRACE_API void dtrace_aggregate_clear(dtrace_hdl_t *dtp);

/*
 * Call F for each key of all aggregations, as of the last dtrace_aggregate_snap().  The order is
 *
 * walk		unspecified
 * keysorted	by aggregation, then key; valsorted: by aggregation, then value
 * keyvarsorted	by key, then aggregation; valvarsorted: by value, then aggregation
 * ...rev...	the same, descending
 *
 * Return 0 or -1.
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
 * Read the aggregations and print those that printa() has not printed, as dtrace(8) does at its
 * end. They are written to FP, or, if FP is NULL, passed to the handler of
 * dtrace_handle_buffered(), one call for each key.  WALK is one of the functions above and sets the
 * order; NULL means the order set by the options.
 */
DTRACE_API int dtrace_aggregate_print(dtrace_hdl_t *dtp, FILE *fp, dtrace_aggregate_walk_f *walk);

/* ---- handlers: a call replaces the previous handler; NULL removes it ---- */

#define DTRACE_HANDLE_ABORT (-1) /* dtrace_work() fails */
#define DTRACE_HANDLE_OK    0

/* Flags of text that is not written to a stream. */
#define DTRACE_BUFDATA_AGGKEY	 0x0001 /* it contains the keys of an aggregation */
#define DTRACE_BUFDATA_AGGVAL	 0x0002 /* it contains the value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* a format of printa() produced it */
#define DTRACE_BUFDATA_AGGLAST	 0x0008 /* it is the last text for this key */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;	       /* the text */
	dtrace_probedata_t *dtbda_probe;       /* NULL if from dtrace_aggregate_print() */
	const dtrace_recdesc_t *dtbda_recdesc; /* the action or the value, or NULL */
	const dtrace_aggdata_t *dtbda_aggdata; /* the key that is printed, or NULL */
	uint32_t dtbda_flags;		       /* DTRACE_BUFDATA_... */
} dtrace_bufdata_t;

typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *data, void *arg);
DTRACE_API int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *f, void *arg);

/* A run-time fault.  Without a handler dtrace_work() fails with "Abort due to error". */
typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc; /* without records */
	dtrace_probedesc_t *dteda_pdesc;
	processorid_t dteda_cpu; /* -1: unknown */
	int dteda_action;	 /* the clause's statement, from 1; 0: the predicate */
	int dteda_offset;	 /* -1: unknown */
	int dteda_fault;	 /* DTRACEFLT_... */
	uint64_t dteda_addr;	 /* the invalid address, size or index */
	const char *dteda_msg;	 /* the whole message, without a newline */
} dtrace_errdata_t;

typedef int dtrace_handle_err_f(const dtrace_errdata_t *data, void *arg);
DTRACE_API int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *f, void *arg);

/* Lost data.  Without a handler dtrace_work() fails with "Abort due to drop". */
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
	processorid_t dtdda_cpu;      /* -1: unknown */
	dtrace_dropkind_t dtdda_kind; /* PRINCIPAL for kinds without a constant above */
	uint64_t dtdda_drops;	      /* since the last call for this kind and CPU */
	uint64_t dtdda_total;	      /* of this kind and CPU */
	const char *dtdda_msg;	      /* "3 drops on CPU 1", without a newline */
} dtrace_dropdata_t;

typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *data, void *arg);
DTRACE_API int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *f, void *arg);

/* setopt() in a D program has changed an option. */
typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	dtrace_optval_t dtsda_oldval;
	dtrace_optval_t dtsda_newval;
} dtrace_setoptdata_t;

typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *data, void *arg);
DTRACE_API int dtrace_handle_setopt(dtrace_hdl_t *dtp, dtrace_handle_setopt_f *f, void *arg);

/* Process PROC has exited.  MSG is NULL.  dtrace_work() calls the handler. */
typedef void dtrace_handle_proc_f(struct ps_prochandle *proc, const char *msg, void *arg);
DTRACE_API int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *f, void *arg);

/* ---- addresses ---- */

/*
 * Write the text of address ADDR of the kernel, or of process PID, as printed in stacks, to BUF, at
 * most LEN bytes with the NUL.  Before dtrace_go() the text is only the number.  Return the length
 * of the whole text, including its NUL.
 */
DTRACE_API int dtrace_addr2str(dtrace_hdl_t *dtp, uint64_t addr, char *buf, int len);
DTRACE_API int dtrace_uaddr2str(dtrace_hdl_t *dtp, pid_t pid, uint64_t addr, char *buf, int len);

#ifdef __cplusplus
}
#endif

#endif
