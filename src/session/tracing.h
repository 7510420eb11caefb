/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracing: the state of a session's consumer, from loading the object to its last line of output.
 * The files of this folder share it.
 */
#ifndef SESSION_TRACING_H
#define SESSION_TRACING_H

#include <signal.h>

#include "base/intmap.h"
#include "base/vec.h"
#include "base/waits.h"
#include "consume/agg_map.h"
#include "dtrace/dtrace.h"
#include "decode/sink.h"
#include "print/print.h"
#include "formats/writer.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "session/governor.h"

/* An output or consumer that was asked for before there is anything to show. */
struct output_request {
	const char *format; /* NULL: a consumer */
	FILE *out;
	struct out_file *file; /* whose stream OUT is; NULL: it is somebody else's */
	const char *path;      /* its name */
	const char *ending;    /* of its name */
	const char *address;   /* that it is sent to; then there is no OUT.  NULL: it is written */
	bool helper;	       /* the address is for another process, which it has started */
	const char *folder;    /* of its files, with '/'; then there is no OUT.  NULL: it has one */
	struct dtrace_consumer consumer;
};

/* A record that is kept to be shown later. */
struct late_record {
	const struct dt_rec *rec;
	size_t size;
};

/* A shared probe with the name that its provider has in one process. */
struct shown_probe {
	struct probe probe;
	char prov[PROBE_PROV_SIZE];
};

/* A printa() that was carried out, in reading number READING of the aggregations. */
struct print_turn {
	const struct rec_action *act;
	uint32_t reading;
};

/* The turns of a pass of the run loop. */
enum turn {
	TURN_NEWS,    /* attach to what came since the last one; that is done before the end, too */
	TURN_STATUS,  /* look for drops */
	TURN_RECORDS, /* deliver them */
	TURN_COSTS,   /* measure them */
	TURN_SHOW,    /* hand aggregations to outputs */
};

struct tracing {
	/* in the kernel */
	struct load *load;
	void (*progress)(void *arg, unsigned attached, unsigned all); /* NULL: nobody listens */
	void *progress_arg;
	struct late *late_probes; /* NULL: no probes can come while tracing */

	struct governor governor;
	enum { ASLEEP_UNKNOWN, ASLEEP_NONE, ASLEEP_SOME } asleep; /* asleep_concerns() */
	struct intmap told_asleep; /* by pid: processes that asleep.h has told of */

	/* how it ends */
	volatile sig_atomic_t interrupts;
	volatile bool begun; /* BEGIN has run, or runs */
	int wake;	     /* eventfd: a signal handler makes it readable */
	bool failed;	     /* there was a fault, and that ends it (option errexit) */
	bool unattached;     /* BEGIN has called exit() */
	bool stopped;	     /* END has run */
	bool filled;	     /* bufpolicy=fill: a buffer is */
	bool param_gone;     /* a process that a parameter names had ended before tracing began */
	int exit_status;     /* of exit() */
	struct waits waits;  /* what the run loop waits for */
	struct loop_wait *at_status;	/* at statusrate */
	struct loop_wait *at_records;	/* at switchrate */
	struct loop_wait *at_snapshots; /* NULL: not yet */
	uint64_t next_switch;		/* CLOCK_MONOTONIC ns */
	uint64_t *next_snapshots;	/* by sink; UINT64_MAX: never */

	/* faults */
	struct fault_view **fault_views; /* of the image's fault_places; NULL: none were met */
	uint32_t nfault_views;		 /* places that there were then */
	bool several_files;		 /* the clauses are from more than one */

	/* records */
	struct ring *ring;   /* NULL: nothing is recorded, or with bufpolicy=ring */
	struct fill *fill;   /* bufpolicy=fill: the CPUs' accounts; NULL with another one */
	struct hold *held;   /* records that are delivered later; NULL: none are */
	struct drops *drops; /* counted by cause */
	struct specs *specs; /* speculations */
	bool drained;	     /* nothing was left in the buffer after the last pass */
	bool beginning;	     /* records of BEGIN are being consumed */
	VEC(struct late_record) late;		   /* of ERROR, while they are */
	struct shown_probe event_probe, key_probe; /* of the event, the key that is being shown */
	uint64_t beyond; /* committed records that bufpolicy=fill had no room for */

	/* aggregations */
	struct aggs *aggs;
	struct agg_maps maps;		/* that they are read from */
	bool fresh;			/* they were read in this pass */
	VEC(struct print_turn) printed; /* by printa() */
	uint32_t reading;		/* counts passes in which they were read */
	uint64_t printing;		/* ns that printa() took in this pass */
	uint64_t late_prints;		/* that were skipped */
	bool user_keys;			/* one has user addresses in its keys */

	/* names for addresses */
	struct symtab *syms;
	struct stacks *stacks; /* that variables and keys name; NULL: none do */
	bool user_addresses;   /* keys or records have addresses of programs */

	/* results */
	VEC(struct output_request) outputs;
	VEC(struct sink *) sinks;
	VEC(struct writer) writers;	      /* that some of the sinks hand over to */
	const char *problem;		      /* a writer's, with its last output */
	const struct output_request *failing; /* the last one that returned an error */
	bool web;    /* one of the outputs is a server, in a process of its own */
	FILE *older; /* saved results to compare with; NULL: there are none */
	const char *older_name;
	bool saved_losses;   /* they are from a file that says that data were lost */
	struct output *text; /* of the text sink; NULL: there is none */
	struct sink_env env;
	struct print_options outopts;
};

#endif
