/* SPDX-License-Identifier: Apache-2.0 */
/* Private to src/load: a load's insides, and what its files do for each other. */
#ifndef LOAD_INTERNAL_H
#define LOAD_INTERNAL_H

#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "load/load.h"
#include "probe/attach.h"
#include "sym/copier.h"

/* Of linux/bpf.h of kernels newer than the headers here. */
#define KPROBE_MULTI	 ((enum bpf_attach_type)42) /* BPF_TRACE_KPROBE_MULTI, 5.18 */
#define UPROBE_MULTI	 ((enum bpf_attach_type)48) /* BPF_TRACE_UPROBE_MULTI, 6.6 */
#define NETFILTER_PROG	 ((enum bpf_prog_type)32)   /* BPF_PROG_TYPE_NETFILTER, 6.4 */
#define NETFILTER_ATTACH ((enum bpf_attach_type)45) /* BPF_NETFILTER */

/* One of the image's programs. */
struct load_slot {
	struct bpf_program *prog; /* NULL = not loaded (ATTACH_ERROR) */
	uint32_t btf_id;	  /* ATTACH_TP_BTF: what to attach to */
	char *log;		  /* verifier's log; NULL = shares the load's */
	uint64_t ns, runs;	  /* of its firings, when they were last looked at */
	bool left_out;		  /* load_leave_out() */
	uint32_t places;	  /* that load_attach() was to attach to */
	uint32_t refused;	  /* of those, that the kernel refused */
	int refusal;		  /* why, of the last: a negative errno */
	uint32_t seen, stepped;	  /* places in user code, and those that the kernel single-steps */
};

/* A process that translates or copies code. */
struct load_copier {
	pid_t pid;
	bool concerned, told; /* by the places of a file; load_next_copier() returned it */
	struct copier c;
};

/* Something attached: closing the descriptors undoes it. */
struct load_hook {
	int link;	 /* -1 = attached to the event itself */
	int event;	 /* perf event, or -1 */
	pid_t pid;	 /* the process that a uprobe is in alone, else 0 */
	int prog;	 /* descriptor of its program */
	uint64_t net;	 /* the network namespace it is in, where that matters; else 0 */
	uint32_t places; /* in user code */
	/* that uprobes for all processes are in, or those that stand for them in one; else NULL */
	const struct attach_file *file;
};

/* Program PROG is attached to the gate of all entries, or of all returns, of process PID. */
struct load_gate {
	int prog;
	pid_t pid;
	bool ret;
	const char *map; /* that has an element for the process; constant */
};

/* Places of one file that program PROG of the image has in all processes. */
struct load_shared {
	uint32_t prog, n;
	struct attach_site *sites; /* ours */
	uint64_t dev, ino;	   /* of the file, as in struct process_object */
	bool separate;		   /* attached process by process */
};

/* A perf event of a CPU. */
struct load_cpu_event {
	int event; /* the hook's; -1: the CPU is not there */
	int prog;
	uint32_t cpu;
	uint64_t enabled; /* ns, at the last look */
	struct attach_plan plan;
};

/* A clock event of a CPU, or a hardware event, and what the kernel says of it. */
struct load_clock {
	int event;
	void *page; /* of struct perf_event_mmap_page; records follow */
	uint32_t cpu;
	bool counted;	     /* the program counts how often it fires (attach_plan.counted) */
	uint64_t period;     /* ns; 0: a hardware event, whose count stands still with it */
	uint64_t stopped;    /* when the kernel stopped it, CLOCK_MONOTONIC ns; 0: it runs */
	uint64_t standstill; /* ns for which it was stopped before; each stop alone would round */
};

/* A network namespace that netfilter programs are in, or that cannot be entered. */
struct load_net {
	uint64_t number; /* of its inode */
	bool present;	 /* the last look found it */
};

/* A network namespace that a process has entered while tracing. */
struct load_new_net {
	pid_t pid;
	uint64_t number;
};

/* An object that load_more() loaded, and what it was read from. */
struct load_object {
	struct bpf_object *obj;
	void *linked;
	size_t linked_len;
};

struct load {
	struct load_image image;
	struct load_options opts;
	struct types *types;
	char error[512];
	struct buf messages; /* libbpf's */

	void *linked; /* the object with the run-time library; an image that needs none: NULL */
	size_t linked_len;

	struct bpf_object *obj;
	const struct load *base;	   /* load_more(): whose maps this one shares */
	HEAPVEC(struct load_object) more;  /* that load_more() added */
	struct load_prog *progs;	   /* image.progs if it has; else NULL */
	struct load_slot *slots;	   /* image.nprogs of them */
	const struct load_prog *preparing; /* the last one handed to the kernel */

	char *shared_log; /* log_size bytes */
	uint32_t log_size, log_lost;
	struct buf log; /* what load_log() returns */
	struct load_refusal refusal;

	void *state;
	size_t state_len;

	HEAPVEC(struct load_hook) hooks;
	HEAPVEC(struct load_shared) shared;
	HEAPVEC(struct load_copier) copiers; /* that the last look found */
	bool looked;			     /* for them */
	HEAPVEC(struct load_gate) gates;
	struct ring_buffer *functions; /* NULL: no program looks for functions */
	HEAPVEC(pid_t) new_functions;  /* processes that have some, each once */
	uint64_t function_calls;       /* before their probes were placed */
	int attaching;		       /* descriptor of the program that is */
	int stats;		       /* descriptor that has the kernel measure, 0 = none */
	uint32_t attached, nsites;     /* so far, and in all */
	uint64_t places;	       /* that are attached to, or will be by load_attach() */
	uint64_t memory;	       /* bytes of the maps */
	bool exceeds_memory;
	struct load_skipped skipped; /* places that the kernel refused, not yet asked for */
	struct deputy *deputy;	     /* that makes links to user code; NULL: we do */
	bool late; /* load_attach_late() is at work: errors are not the session's */

	HEAPVEC(struct load_cpu_event) cpu_events;
	HEAPVEC(struct load_clock) clocks;
	uint64_t clocks_missed; /* by those that are closed */
	uint64_t uncounted;	/* ns, of hardware events that are closed */
	/* of each CPU, the firings that were due of counted clocks that are closed */
	HEAPVEC(uint64_t) due;

	HEAPVEC(struct load_net) nets; /* with netfilter programs in them; the first is ours */
	struct mapwatch *net_watch;    /* NULL: namespaces are only looked for */
	HEAPVEC(struct load_new_net) new_nets; /* that a look has to find */
	HEAPVEC(uint64_t) gone_nets;	       /* numbers of those that none found, since a while */
	uint64_t nets_late; /* that may have had packets before they were attached in */
	bool nets_lost;	    /* some of what happened was not told */
	bool nets_begun;    /* those that there were when tracing began are known */

	struct unwind *unwind; /* NULL: no program asks for user stacks */
};

/*
 * True if MAP is there in the kernel.  From libbpf 1.4 on, one that is left out has the
 * descriptor of a placeholder (bpf_map__set_autocreate()).
 */
bool load_map_is_created(const struct bpf_map *map);

/* Returns the map NAME of L's objects, the first that was created; NULL: none has it. */
struct bpf_map *load_map(const struct load *l, const char *name);

/* Sets the message; returns ERR. */
int load_fail(struct load *l, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Returns the first thing that libbpf complained about, without its prefix; "" = nothing. */
const char *load_complaint(struct load *l, char *buf, size_t size);

/* ---- libbpf.c: libbpf's own global state, held by one load at a time ---- */

/* From here until load_libbpf_leave() messages go to L and "dt/" sections are known. */
int load_libbpf_enter(struct load *l);
void load_libbpf_leave(void);

/* ---- link.c ---- */

/* The image and the run-time library into l->linked. */
int load_link(struct load *l);

/* ---- prog.c ---- */

/* Open the object, set sizes and constants, create maps and load programs. */
int load_object(struct load *l);

/* Adds up the memory of the object's maps; an error if they exceed the limit.  In memory.c. */
int load_check_memory(struct load *l);

/* Returns the most slabs that the tables for user stacks may take (abi/unwind.h). */
uint32_t load_unwind_slabs(const struct load *l);

/* Prepares PROG: libbpf calls it just before it loads the program. */
int load_prepare(struct load *l, struct bpf_program *prog, struct bpf_prog_load_opts *opts);

/* ---- room.c ---- */

/* Has the kernel make room on each CPU for new keys of hashes that are not allocated in advance. */
void load_make_room(const struct load *l);

/* ---- refused.c ---- */

/* Notes the limit for which the last program was refused with ERR, if it was one of them. */
bool load_find_limit(struct load *l, int err);

/* ---- priv.c ---- */

/* True if the kernel is locked down so far that programs may not read its memory by a helper. */
bool load_is_confidential(void);

/* ---- lacking.c ---- */

/* If the last program was refused for what the kernel lacks, write a text to WHY: true. */
bool load_lacks_for_program(const struct load *l, char *why, size_t size);
/* The same of a map, which was refused with ERR; COMPLAINT names it. */
bool load_lacks_for_map(
	const struct load *l, int err, const char *complaint, char *why, size_t size);

/* ---- attach.c, attach_kprobe.c, attach_netfilter.c ---- */

/*
 * Sets the number of places that L's image is attached to.  An error if it exceeds the limit,
 * together with those that HAD has (load_more()); NULL: there are no others.
 */
int load_plan_places(struct load *l, const struct load *had);

/* Closes what PROG, a descriptor, is attached to. */
void load_detach_program(struct load *l, int prog);

/* LINK and EVENT, a perf event or -1, are closed when L detaches, or now on failure. */
int load_hook_add(struct load *l, int link, int event);
/* Does the same for uprobes at so many PLACES in process PID, 0 = in all. */
int load_hook_add_user(struct load *l, int link, int event, pid_t pid, uint32_t places);
/* Reports that N more places are attached to; -EINTR = give up. */
int load_progressed(struct load *l, uint32_t n);
/*
 * True if attaching failed with ERR because of the place.  Otherwise we lack memory, descriptors or
 * rights, the process has ended or we are to give up: other places would fail, too.
 */
bool load_is_refusal(int err);
/* Counts a place of program number PROG that the kernel refused with ERR; COOKIE: 0 = its only. */
void load_skip(struct load *l, uint32_t prog, uint64_t cookie, int err);
int load_attach_kprobes(struct load *l, int prog, const struct load_prog *p);
/* Attach program P, whose descriptor is PROG, to N SITES; those that the kernel refuses are
 * counted. */
int load_attach_uprobes(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n);

/* Attach P to N SITES of one file, in process PID alone though they are shared; 0: as they say. */
int load_attach_in(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n, pid_t pid);

/* ---- separate.c ---- */

/* Does the same in all processes, or in those that do not copy code. */
int load_attach_shared(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n);
void load_close_shared(struct load *l);

/* ---- attach_function.c ---- */

/* Does the same for sites of functions that are found at gates (plan.by_function). */
int load_attach_functions(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n);
void load_close_functions(struct load *l);
/* Process PID has ended. */
void load_forget_functions(struct load *l, pid_t pid);

/* ---- attach_event.c ---- */

/* Attaches PROG to the event of PLAN on CPU; 0 or a negative errno. */
int load_attach_event(struct load *l, int prog, uint32_t cpu, const struct attach_plan *plan);
/* Stop watching the clocks; before their events are closed. */
void load_close_clocks(struct load *l);
/* Stop watching EVENT, if it is watched; before it is closed.  GONE: its CPU has gone. */
void load_close_clock(struct load *l, int event, bool gone);
/* Returns for how many ns EVENT was enabled; 0 if the kernel does not say. */
uint64_t load_event_enabled(int event);

/* ---- attach_cpus.c ---- */

/* Attaches PROG to the event of PLAN on each CPU, or on one; 0 or a negative errno. */
int load_attach_cpus(struct load *l, int prog, const struct attach_plan *plan);
/* Forget the events of PROG, which are closed: no CPU that comes gets another. */
void load_forget_cpus(struct load *l, int prog);

/* Note what the traps at the N places SITES, where the program of SLOT is attached, will cost. */
void load_cost_note(struct load_slot *slot, const struct attach_plan *plan,
	const struct attach_site *sites, uint32_t n);

/* Stops what load_cost_begin() has started, if anything. */
void load_cost_stop(struct load *l);

/* ---- attach_uprobe.c, attach_netfilter.c ---- */

/* Reads the number in FILE of a PMU in sysfs by FORMAT, with one %u; 0 or -errno. */
int load_pmu_number(const char *file, const char *format, unsigned *out);
/* Watch for new network namespaces, if a program belongs to one; and forget them all. */
void load_watch_nets(struct load *l);
void load_leave_nets(struct load *l);

/* Attaches in our own network namespace; load_follow() attaches in the others. */
int load_attach_netfilter(struct load *l, int prog, const struct attach_plan *plan);

/* ---- unwind.c ---- */

/* End the thread, if there is one, and free what it has. */
void unwind_stop(struct load *l);

/* ---- offsets.c ---- */

struct dt_offsets;

/*
 * Fills OUT from TYPES; a member that TYPES lacks (NULL: all) becomes DT_OFFSET_UNKNOWN.  If the
 * image cannot do without it: -EOPNOTSUPP and a message.
 */
int load_offsets(struct load *l, struct types *types, struct dt_offsets *out);

#endif
