/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classic: the insides of the classic interface (include/dtrace.h), for the files classic*.c only.
 * All of it is made with the public interface (include/dtrace/), it knows nothing of what is
 * after that.
 *
 *   classic.c          handle, errors, options, handlers, the life of a session
 *   classic_program.c  compiling, probes, processes
 *   classic_value.c    a typed value to a record: description and bytes
 *   classic_record.c   firings, drops and faults from the session to events
 *   classic_deliver.c  events to callbacks, streams and handlers
 *   classic_agg.c      aggregations to entries
 *   classic_walk.c     walks over the entries, printing
 */
#ifndef CLASSIC_H
#define CLASSIC_H

#include <stdbool.h>

#include <dtrace.h>
#include <dtrace/dtrace.h>

#include "base/heapvec.h"
#include "dtrace/data.h"

/* Values of dtrace_errno() in addition to errno: from 1000 on, as the texts in classic.c. */
enum classic_error {
	CLASSIC_VERSION = 1000,
#define CLASSIC_ERROR(name, text) CLASSIC_##name,
#include "classic/classic_errors.def"
};

/* ---- memory that grows ---- */

/* A heap vector; FAILED = memory ran out once. */
struct bytes {
	char *data;
	uint32_t len, cap;
	bool failed;
};

/* N more bytes, zeroed, whose offset is a multiple of ALIGN; NULL: no memory. */
void *classic_bytes_add(struct bytes *b, size_t n, size_t align);

/* Records: their descriptions and their data. */
struct records {
	struct bytes desc; /* dtrace_recdesc_t */
	struct bytes sign; /* a bool each: the number is signed */
	struct bytes data;
};

static inline unsigned classic_records_count(const struct records *r)
{
	return (unsigned)(r->desc.len / sizeof(dtrace_recdesc_t));
}

void classic_records_reset(struct records *r);
void classic_records_free(struct records *r);
bool classic_records_failed(const struct records *r);

/* A record of SIZE zeroed bytes; NULL: no memory. */
void *classic_records_add(struct records *r, dtrace_actkind_t action, size_t size, size_t align);
/* Adds V as a record; ACTION 0: the one that suits its kind. */
void classic_records_value(
	struct records *r, const struct dtrace_value *v, dtrace_actkind_t action);
/* Adds V's value, without bounds of a distribution's CPUs. */
void classic_records_agg_value(struct records *r, const struct dtrace_agg_value *v);

/* ---- aggregations ---- */

/* The layout of some of an aggregation's keys, and of their entries' data. */
struct classic_layout {
	struct classic_layout *next;
	bool *sign;
	dtrace_aggdesc_t desc; /* last: dtagd_rec[] goes on */
};

/* One key of one aggregation. */
struct classic_entry {
	dtrace_aggdata_t data;
	const struct classic_layout *layout;
	long double rank;  /* what its value sorts by */
	int64_t zero;	   /* then that */
	char *text;	   /* as the text output has it, or NULL */
	unsigned char act; /* DTRACE_AGGWALK_..., of the walk under way */
	uint64_t words[];  /* the data, then the CPUs' pointers and values */
};

HEAPVEC_STRUCT(classic_entries, struct classic_entry *);

struct classic_agg {
	char *name;
	uint32_t id;
	bool printed; /* by printa() */
	struct classic_layout *layouts;
};

/* ROW of T, of its aggregation number WHICH, to OUT; its number there, or -1: no memory. */
long classic_entries_add(dtrace_hdl_t *h, struct classic_entries *out, const struct dtrace_table *t,
	const struct dtrace_row *row, unsigned which);
void classic_entries_free(struct classic_entries *e);
void classic_aggs_free(dtrace_hdl_t *h);

/* Returns the entry of A, made if necessary; valid until the next call. NULL: no memory. */
struct classic_agg *classic_agg(dtrace_hdl_t *h, const struct dtrace_aggregation *a);
/* Notes that printa() has printed A; -ENOMEM. */
int classic_printed(dtrace_hdl_t *h, const struct dtrace_aggregation *a);

/* ---- events ---- */

/* A piece of an action's text, with the key that it is about. */
struct classic_chunk {
	size_t text; /* offset in the event's text */
	long entry;  /* of the event's entries; -1 = none */
	uint32_t flags;
};

struct action {
	enum dtrace_action kind;
	unsigned rec;		 /* number of its first record */
	size_t text, text_len;	 /* in the event's text, NUL-terminated */
	unsigned chunk, nchunks; /* of the event's; 0 = the text in one */
	size_t option;		 /* setopt(): its name, in the event's text */
	dtrace_optval_t before;
};

enum event_kind { EVENT_RECORD, EVENT_DROP, EVENT_FAULT };

/* Something that callbacks and handlers are told. */
struct classic_event {
	struct classic_event *next;
	enum event_kind kind;
	dtrace_probedesc_t probe;
	dtrace_probedata_t data;
	struct records recs;
	struct bytes edesc;   /* dtrace_eprobedesc_t */
	struct bytes actions; /* struct action */
	struct bytes chunks;  /* struct classic_chunk */
	struct bytes text;
	struct classic_entries entries;
	char prefix[4];
	dtrace_dropdata_t drop;
	dtrace_errdata_t fault;
};

/* Returns the consumer that makes events of what the session has to tell. */
struct dtrace_consumer classic_consumer(dtrace_hdl_t *h);
void classic_event_free(struct classic_event *e);

/* Deliver E to the callbacks of the work under way and to the handlers; 0 or -ECANCELED. */
int classic_deliver(dtrace_hdl_t *h, struct classic_event *e);

/* Write text to the handler for buffered text (FP NULL) or FP; 0 or -ECANCELED. */
int classic_emit(dtrace_hdl_t *h, FILE *fp, const dtrace_bufdata_t *what);

/* ---- handle ---- */

struct ps_prochandle {
	struct ps_prochandle *next;
	pid_t pid;
	int fd; /* pidfd; -1: its end was told, or can't be seen */
};

struct dtrace_program {
	struct dtrace_program *next;
	struct dtrace_prog *prog;
};

struct dtrace_hdl {
	struct dtrace *d;
	int err;
	char *errtext; /* of ERR; NULL = the usual one */

	bool going;   /* in dtrace_go(): what comes is kept for dtrace_work() */
	bool started; /* dtrace_go() has been called */
	bool done;    /* everything was consumed */
	struct classic_event *queue, **queue_end;
	struct classic_event *now;   /* the firing that is being collected */
	struct classic_event *spare; /* for the next one */

	/* of the dtrace_work() under way */
	FILE *fp;
	dtrace_consume_probe_f *probe;
	dtrace_consume_rec_f *record;
	void *arg;
	FILE *redirected; /* by freopen() in a program */

	struct {
		dtrace_handle_buffered_f *buffered;
		dtrace_handle_err_f *err;
		dtrace_handle_drop_f *drop;
		dtrace_handle_setopt_f *setopt;
		dtrace_handle_proc_f *proc;
		void *buffered_arg, *err_arg, *drop_arg, *setopt_arg, *proc_arg;
	} on;

	struct dtrace_program *programs;
	struct ps_prochandle *procs;

	struct classic_entries snapshot;
	struct records scratch, scratch_cpu; /* of the entry that is being made */
	struct bytes aggs;		     /* struct classic_agg */
	dtrace_eprobedesc_t edesc;	     /* for those who have none */
	dtrace_probedesc_t noprobe;	     /* likewise */
};

/* Set the error, with its usual text; -1. */
int classic_fail(dtrace_hdl_t *h, int err);
/* Set the error from the session's, which gave the negative errno ERR; -1. */
int classic_failed(dtrace_hdl_t *h, int err);
/* Does the same for an error in a program, whose text is none of the usual ones. */
int classic_failed_compile(dtrace_hdl_t *h);

/* Describes P in the classic structure. */
void classic_probedesc(const struct dtrace_probe *p, dtrace_probedesc_t *out);

void classic_procs_free(dtrace_hdl_t *h);
/* Tell the handler of those that have ended. */
void classic_procs_poll(dtrace_hdl_t *h);

#endif
