/* SPDX-License-Identifier: Apache-2.0 */
/* handle: a session's insides, for the files of this folder only. */
#ifndef SESSION_HANDLE_H
#define SESSION_HANDLE_H

#include <signal.h>

#include "session/options.h"
#include "target/target.h"
#include "base/buf.h"
#include "consume/agg.h"
#include "consume/drops.h"
#include "consume/hold.h"
#include "consume/over.h"
#include "consume/ring.h"
#include "consume/spec.h"
#include "dtrace/dtrace.h"
#include "ir/lower.h"
#include "load/functions.h"
#include "load/load.h"
#include "out/sink.h"
#include "out/writer.h"
#include "sema/sema.h"
#include "sym/sym.h"

struct dtrace_prog {
	struct sema_program *sema;
};

struct library_file {
	const char *path;
	bool skipped;
};

enum run_phase { PHASE_NEW, PHASE_TRACING, PHASE_DONE };

/* An output or consumer that was asked for before there is anything to show. */
struct output_request {
	const char *format; /* NULL: a consumer */
	FILE *out;
	struct dtrace_consumer consumer;
};

/* A record that is shown later than it was made. */
struct late_record {
	const struct dt_rec *rec;
	size_t size;
};

struct dtrace {
	struct arena *arena;
	struct options *opts;
	char *errmsg;	     /* in the arena */
	const char *errhint; /* NULL = none */
	char privileges[256];

	FILE *dump;
	void (*handler)(void *arg, const char *text);
	void *handler_arg;
	int argc;
	char *const *argv;
	const char *name;

	/* compiling; made when first needed */
	struct load_btf btf;
	struct features *features; /* NULL: nothing was asked yet */
	const struct kernel_function *functions;
	const struct kernel_event *events;
	uint32_t nfunctions, nevents;
	uint32_t attached, to_attach; /* while probes are enabled; atomic */
	struct types *types;
	struct registry *registry;
	struct sema *sema;
	struct diags diags;
	struct {
		const char *dir; /* of the file that is being compiled; NULL: it is no library */
		const char *versioned; /* folder in it that goes first, for this kernel; or NULL */
		bool system;	       /* it is one of ours */
		bool skip;	       /* something that it depends on is not here */
		VEC(struct library_file) begun;
	} library;
	struct parse_input *parsing; /* of the program that is being parsed */
	struct lex_macros *macros;   /* of the program that is being parsed */
	const char *script;	     /* the file that was compiled last; NULL = it was none */

	VEC(const struct provider_block *) blocks; /* of all programs */

	struct targets *targets;

	/* tracing */
	enum run_phase phase;
	volatile sig_atomic_t interrupts;
	int wake; /* eventfd: a signal handler makes it readable */
	struct lowered *lowered;
	struct late_probes *late_probes; /* NULL: no probes can come while tracing */
	struct userland *userland;
	struct buf object;
	struct load *load;
	struct ring *ring; /* NULL: nothing is recorded, or with bufpolicy=ring */
	struct hold *held; /* what is delivered later; NULL: nothing is */
	struct drops *drops;
	struct specs *specs;
	struct aggs *aggs;
	struct agg_store store; /* the BPF maps; aggs has one that also remembers processes */
	struct symtab *syms;
	VEC(struct output_request) outputs;
	VEC(struct sink *) sinks;
	VEC(struct writer) writers; /* what some of the sinks hand over to */
	struct sink_env env;
	struct out_options outopts;
	bool failed;	     /* there was a fault, and that ends it (option errexit) */
	bool stopped;	     /* END has run */
	bool filled;	     /* bufpolicy=fill: a buffer is */
	uint64_t own_missed; /* firings that the kernel left out while it gave us aggregations */
	uint64_t beyond;     /* and so many committed records had no room in it */
	bool beginning;	     /* what BEGIN recorded is being consumed */
	VEC(struct late_record) late;
	bool fresh;	     /* the aggregations were read in this pass */
	bool user_keys;	     /* an aggregation has user addresses in its keys */
	bool user_addresses; /* so has something that is recorded */
	int exit_status;
	uint64_t next_status, next_switch; /* CLOCK_MONOTONIC ns */
};

/* Set the message; returns ERR. */
int handle_error(struct dtrace *d, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Types, registry and names; 0 or -ENOMEM. */
int handle_prepare(struct dtrace *d);

/* What the kernel can do; NULL when memory ran out. */
struct features *handle_features(struct dtrace *d);

/* The options that the sink looks at, after a change. */
void handle_refresh_options(struct dtrace *d);

void handle_message(struct dtrace *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* compile.c: the most frames that a stack can have. */
uint32_t compile_max_frames(struct dtrace *d);
/* struct sema_config.symbol */
bool compile_kernel_symbol(void *arg, const char *module, const char *name, uint64_t *addr,
	uint64_t *size, bool *is_func);

/* codegen.c: bytes of scratch memory that a clause has. */
uint32_t compile_scratch_size(struct dtrace *d);

/* codegen.c: the most bytes that print() captures. */
uint32_t compile_print_size(struct dtrace *d);

/* target_types.c: types of the target's programs by name; struct sema_config's user_symbol. */
void compile_find_programs(struct dtrace *d);
bool compile_target_symbol(void *arg, const char *module, const char *name, struct symbol *out,
	const struct type **type);

/* compile.c: the first error as DTrace words it becomes the message. */
int compile_report(struct dtrace *d);

/*
 * codegen.c: all enabled clauses to an object, in d->lowered and d->object; what -S and -x dump
 * ask for is written.  -EINVAL: diags.
 */
int codegen(struct dtrace *d);

/* sizes.c: what T asks for and the kernel never has is lowered. */
void sizes_limit(struct dtrace *d, struct target *t);
/* Nothing is cleaned here, but what was asked for is answered as where it is. */
void sizes_limit_rates(struct dtrace *d);
/* There was not enough memory: halve the largest buffer; false: there is nothing to lower. */
bool sizes_lower(struct dtrace *d, uint32_t ncpus);

/* A library file: declarations and inlines only; false when there was an error (d->diags). */
bool compile_library(struct dtrace *d, const char *path, FILE *in);
/* library.c: compile all of them; ARG is the session. */
bool library_load(void *arg);

/* library.c: #pragma D depends_on TEXT. */
void library_depends(struct dtrace *d, struct loc loc, const char *text);

/* cpp.c: TEXT through the preprocessor, in the arena; 0 or -errno and a message. */
int preprocess(struct dtrace *d, const char **text, size_t *len);

/* sinks.c: all of them, one after another; 0 or the first -errno. */
int sinks_open(struct dtrace *d);
int sinks_begin(struct dtrace *d, const struct event *ev);
int sinks_action(struct dtrace *d, const struct event *ev, uint32_t i);
int sinks_end(struct dtrace *d, const struct event *ev);
int sinks_table(struct dtrace *d, const struct event *ev, uint32_t i, const struct agg_table *t);
int sinks_drop(struct dtrace *d, const struct drop *drop);
int sinks_fault(struct dtrace *d, const struct fault *f);
int sinks_newline(struct dtrace *d);
int sinks_finish(struct dtrace *d);
int sinks_flush(struct dtrace *d);
void sinks_free(struct dtrace *d);
/* Whether records must carry the time for what was asked for. */
bool sinks_want_time(const struct dtrace *d);

/* tables.c: aggregations. */
int tables_open(struct dtrace *d);
/* One of printa(), clear(), trunc(), normalize(), denormalize(): action I of EV. */
int tables_action(struct dtrace *d, const struct event *ev, uint32_t i);
/* What printa() did not print. */
int tables_finish(struct dtrace *d);
/* User addresses are looked up while the process lives. */
bool tables_is_user(const struct datum *k);

/* events.c */

/* A failure in the consumer, with DTrace's prefix for faults. */
int events_error(struct dtrace *d, const struct event *ev, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int64_t events_integer(const void *data, const struct datum *k);
const struct probe *events_probe(void *arg, uint32_t id);
/*
 * What is in the buffer to the sinks, at most MOST records (0 = all); with bufpolicy fill or ring
 * only when it is the LAST time.
 */
int events_consume(struct dtrace *d, long most, bool last);
/* Take what is in the buffer out of it, for the last time of events_consume(). */
int events_hold(struct dtrace *d);
/* bufpolicy=fill: a CPU's buffer is full. */
bool events_filled(struct dtrace *d);
int events_finish(struct dtrace *d);
int events_open(struct dtrace *d);
/* A short-lived target's addresses are looked up when it is gone: note its maps while it lives. */
void events_remember_target(struct dtrace *d);

#endif
