/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load: a compiled object into the running kernel, and out of it again.  The only folder that
 * loads and attaches.
 *
 * The object is a relocatable ELF image with one function a program (section "dt/<name>"),
 * maps in .maps, shared data in the sections that abi/kernel.h names, and BTF.  Where it has
 * undefined functions it is linked with the embedded run-time object first.  It must not have
 * CO-RE relocations or typed kernel symbols: libbpf would read all of the kernel's types.
 *
 * A load belongs to one thread; different threads may have one each.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include <stddef.h>

#include "abi/runtime.h"
#include "probe/attach.h"

struct looker;
struct types;

struct load_prog {
	const char *name;  /* of the function in the object */
	const char *label; /* provider:module:function:name of its (first) probe, for messages */
	struct attach_plan plan;
	const struct attach_site *sites; /* KEY_COOKIE: where it goes, borrowed; else NULL */
	uint32_t nsites;
	/*
	 * Programs that run one another by tail calls: the map, of programs, by which, and this
	 * one's number in it.  Only number 0 is attached.
	 */
	const char *chain; /* NULL: runs alone */
	uint32_t piece;
	uint32_t ninsns; /* without those of the functions that it calls */
};

struct load_image {
	const void *elf; /* borrowed until load_close(), as everything here */
	size_t elf_len;
	enum rt_needs needs_rt; /* it calls functions of src/rt */
	uint32_t
		rt_reads; /* enum rt_reads (abi/runtime.h) of those functions and of its own maps */
	uint32_t rt_looks; /* enum rt_looks: what those functions look for in kernel structs */
	/* what is not in this list is not loaded; neither are those of ATTACH_ERROR */
	const struct load_prog *progs;
	uint32_t nprogs;
	/* values for the run-time's constants (DT_SEC_CONF) */
	uint32_t strsize;
	uint32_t scratch_size; /* bytes of one scratch slot; 0 = no scratch map in the image */
	uint32_t nplaces;      /* of static probes, at most; 0 = none */
	uint32_t nspec;	       /* speculations at a time; not looked at where there are none */
	uint32_t stack_frames; /* of the deepest stack that can be kept */
	uint64_t stacksize;    /* bytes of the table of kept stacks, about */
};

/*
 * Called between attachments, which may take long: PROBES of ALL are attached.  Returns true to
 * give up: load_attach() then detaches and returns -EINTR.
 */
typedef bool (*load_progress_fn)(void *arg, uint32_t probes, uint32_t all);

/* A limit that somebody has set. */
struct load_bound {
	uint64_t most;
	const char *by; /* who says so, for messages: "/etc/dtrace.conf:3"; NULL: there is none */
};

struct load_options {
	struct features *features; /* finds trace events; NULL where there are none to attach */
	uint32_t cpu; /* clock events on this CPU only; UINT32_MAX = all (and tick on the first) */
	bool log;     /* keep the verifier's log even on success */
	uint32_t log_size;	   /* bytes; 0 = the default */
	uint64_t lockmem;	   /* RLIMIT_MEMLOCK to set, UINT64_MAX = unlimited, 0 = leave */
	uint64_t unwindsize;	   /* bytes of the tables for user stacks; 0 = the default */
	bool force;		   /* programs may be attached where code is copied */
	struct load_bound places;  /* that programs are attached to at a time */
	struct load_bound memory;  /* bytes of maps */
	load_progress_fn progress; /* NULL: nobody asks */
	void *progress_arg;
};

#define LOAD_UNWINDSIZE (128u << 20)

struct load;

/*
 * Link, create maps and load every program; nothing fires yet.  *OUT is set even on failure
 * (unless memory ran out, -ENOMEM and NULL): ask it for the message, then load_close().
 * TYPES may be NULL when no program is ATTACH_TP_BTF; it is not used after this.  Without it the
 * functions of src/rt that look into the kernel fail as if they had been given a bad address.
 */
int load_open(const struct load_image *image, struct types *types, const struct load_options *opts,
	struct load **out);

/*
 * Load the programs of IMG in addition, and attach those whose places do not come later; L is open
 * and may be attached.  Maps and data of IMG that have the name of one of L's are that one, except
 * what a firing or an image has for itself: scratch memory and constants.  The programs are
 * numbered after L's.  0 or a negative errno, with the reason as for load_open() and L as before.
 */
int load_more(struct load *l, const struct load_image *img, struct types *types);

/* Returns the number of places that load_attach() attaches the programs of IMG to. */
uint32_t load_count_places(const struct load_image *img);

/* True if programs may be attached to N places in addition (struct load_options). */
bool load_may_attach(const struct load *l, uint64_t n);

/* True if load_open() failed because the maps exceed the limit of struct load_options. */
bool load_exceeds_memory(const struct load *l);

/*
 * Attach every program but BEGIN, END and ERROR.  A place that the kernel refuses is left out
 * (load_skipped(), load_is_refused()).  On failure what was attached is detached.
 */
int load_attach(struct load *l);

/*
 * Look for network namespaces that came or went, where programs belong to one: they are attached in
 * the new ones, detached in those that nobody else keeps.  To be called now and then while
 * attached. 0 or a negative errno.
 */
int load_follow(struct load *l);

/*
 * Returns a descriptor for poll(2), readable when load_follow_new() may find something; -1: never.
 */
int load_net_fd(const struct load *l);

/* Attach in network namespaces that processes have made since the last call.  Costs next to nothing
 * if there are none.  0 or a negative errno. */
int load_follow_new(struct load *l);

/*
 * Returns the number of network namespaces so far that may have had packets before programs were
 * attached in them: all that came while tracing, but those in which no packet was counted by then.
 */
uint64_t load_nets_late(const struct load *l);

/*
 * Attach program number PROG of the image, whose places may come while tracing, to N more SITES
 * (borrowed for the call).  A place that the kernel refuses or whose process has ended is skipped.
 * 0 or a negative errno: some may be attached.
 */
int load_attach_late(struct load *l, uint32_t prog, const struct attach_site *sites, uint32_t n);

/*
 * Returns the bytes of the ring of a table of kept stacks (abi/stacks.h) of about SIZE bytes, whose
 * deepest stack has FRAMES frames: a power of two.
 */
uint32_t load_stack_ring(uint64_t size, uint32_t frames);

/* What firings have cost. */
struct load_cost {
	uint64_t ns;	  /* of all CPUs together, with the traps of uprobes */
	uint64_t runs;	  /* of programs */
	uint64_t most_ns; /* of the program that cost most, of those that are attached; 0: none */
	uint32_t most;	  /* its number */
};

/*
 * Has the kernel measure its programs from now on (BPF_ENABLE_STATS in bpf(2)): some 50 ns for each
 * firing, of other tracers too.  0 or a negative errno; it takes CAP_SYS_ADMIN.
 */
int load_cost_begin(struct load *l);

/* Says what firings cost since the last call, or since load_cost_begin(). */
void load_cost(struct load *l, struct load_cost *cost);

/* The same, and no longer measures. */
void load_cost_end(struct load *l, struct load_cost *cost);

/* Detaches program number PROG for the rest of the time; returns its label. */
const char *load_leave_out(struct load *l, uint32_t prog);

/* How the places of a file that all processes share are attached. */
enum load_sharing { LOAD_UNSHARED, LOAD_SHARED, LOAD_SEPARATE };

/* Returns how those of file INO of device DEV, as /proc/PID/maps has them, called NAME, are. */
enum load_sharing load_sharing(const struct load *l, uint64_t dev, uint64_t ino, const char *name);

/* True if the places of some file are attached so: LOAD_SHARED or LOAD_SEPARATE. */
bool load_shares(const struct load *l, enum load_sharing how);

/*
 * Attach the shared places in the file of O, or in all files (NULL), process by process from now
 * on: in the processes that do not copy code (sym/copier.h), except EXCEPT (0: none).  ATTACHED is
 * called for each.  What fires meanwhile is lost.  0 or -errno.
 */
struct process_object;
int load_separate(struct load *l, const struct process_object *o, pid_t except,
	void (*attached)(void *arg, pid_t pid), void *arg);

/*
 * Attach the shared places that are attached process by process in PID: of the files that it maps,
 * or, before it executes something, of ALL.  Returns 1 if some were not attached before, 0, or
 * -errno.
 */
int load_attach_process(struct load *l, pid_t pid, bool all);

/* True if places of file O are attached process by process, and some are not in PID. */
bool load_lacks(const struct load *l, const struct process_object *o, pid_t pid);

/* Undoes load_attach_process(); true if there was something. */
bool load_leave_process(struct load *l, pid_t pid);

struct copier;
/* Returns a process, each once, for which a file is attached process by process; 0: no more. */
pid_t load_next_copier(struct load *l, const struct copier **c);

/* Undo what load_attach() and load_attach_late() attached in process PID alone. */
void load_detach_process(struct load *l, pid_t pid);

/*
 * Start a process with the capabilities CAPS that from now on carries out load_attach_late() for
 * the N programs PROGS, by their numbers; it ends with the calling thread, and with L.  0 or a
 * negative errno.
 */
int load_delegate(struct load *l, const uint32_t *progs, uint32_t n, uint64_t caps);
/* Returns who opens files of processes with the rights of that process; NULL: there is none. */
const struct looker *load_looker(const struct load *l);
/* Returns its process; 0: there is none. */
pid_t load_deputy(const struct load *l);
/* True if it has ended before L: load_attach_late() returns -EPIPE. */
bool load_deputy_ended(struct load *l);

/* Run the programs of KIND (ATTACH_BEGIN or ATTACH_END) once, in the calling thread. */
int load_run(struct load *l, enum attach_kind kind);

/* Detach; programs and maps stay for reading. Idempotent. */
void load_detach(struct load *l);
void load_close(struct load *l);

/*
 * Open what tells of functions that programs met for the first time, if some look for functions
 * (plan.by_function): 0 or -errno.  Returns a descriptor for poll(2), -1: none do.
 */
int load_functions_open(struct load *l);
int load_functions_fd(const struct load *l);
/* Returns a process that has new functions, each once; 0: none has. */
pid_t load_next_functions(struct load *l);
/* Returns the number of calls of functions before the probes of these were placed. */
uint64_t load_function_calls(const struct load *l);

/* The shared state, mapped read-write; NULL when the image has none. */
volatile struct dt_state *load_state(struct load *l);

/* The descriptor of a map, by its name or its data section's; -1 = none (owned by the load). */
int load_map_fd(struct load *l, const char *name);

/* Sets element KEY of map NAME, whose keys have 32 bits, to LEN bytes of DATA, its value's size. 0
 * or -errno. */
int load_map_put(struct load *l, const char *name, uint32_t key, const void *data, size_t len);

/* True if map NAME, whose keys have 32 bits and values 4 bytes, has KEY. */
bool load_map_has(struct load *l, const char *name, uint32_t key);

/* N pieces into the data section NAME, while programs may read it.  0 or -errno. */
struct load_patch {
	uint32_t off; /* bytes */
	const void *data;
	uint32_t len;
};
int load_map_patch(struct load *l, const char *name, const struct load_patch *v, uint32_t n);

/*
 * Returns the number of firings that the kernel skipped because the program was already running on
 * that CPU.
 */
uint64_t load_missed(struct load *l);

/*
 * Returns the firings of clocks that are missing because the kernel had stopped the clock: more of
 * them came than it allows from one timer tick to the next, and an idle CPU has no tick.
 */
uint64_t load_clocks_missed(struct load *l);

/*
 * Returns how often clocks whose programs count their firings (attach_plan.counted) were to fire on
 * CPU until now, or until they were detached; without what load_clocks_missed() tells.
 */
uint64_t load_firings_due(struct load *l, uint32_t cpu);

/*
 * Returns for how many ms hardware events were not counted on some CPU, all CPUs and events
 * together: there were more events than counters, or too many firings as above.
 */
uint64_t load_uncounted(struct load *l);

/*
 * Attach to the events of CPUs that came, and again to those of CPUs that had gone; to be called
 * now and then while attached.
 */
void load_follow_cpus(struct load *l);

/* Start the clocks that the kernel has stopped again; to be called now and then while attached. */
void load_start_clocks(struct load *l);

/* Places that the kernel refused to attach to. */
struct load_skipped {
	uint32_t n;
	/* the first: a program's number, and the cookie; 0: it is the program's only place */
	uint32_t prog;
	uint64_t cookie;
};

/* Returns those since the last call. */
struct load_skipped load_skipped(struct load *l);

/* Returns the label of program number PROG. */
const char *load_label(const struct load *l, uint32_t prog);

/*
 * True if load_attach() attached program number PROG somewhere, or it is not one to attach (BEGIN);
 * true if it was refused all places that PROG has.
 */
bool load_is_attached(const struct load *l, uint32_t prog);
bool load_is_refused(const struct load *l, uint32_t prog);

/* Says so in load_error(); returns why, a negative errno. */
int load_fail_refused(struct load *l, uint32_t prog);

/* True if it has programs that many kernel functions run. */
bool load_traces_functions(const struct load *l);

/* Returns one line that says what failed and what to do about it; "" if nothing did. */
const char *load_error(const struct load *l);

/* The limits of the kernel's verifier that a program may exceed. */
enum load_limit {
	LIMIT_NONE,
	LIMIT_INSNS,	 /* of a program, or to be followed on all its paths */
	LIMIT_BRANCHES,	 /* on one path */
	LIMIT_FUNCTIONS, /* of a program, bodies of loops among them */
};

#define LOAD_NOWHERE UINT32_MAX

struct load_refusal {
	enum load_limit limit;
	uint32_t prog; /* its number in the image */
	/* where the verifier gave up, as far as its log says so */
	unsigned line; /* in the D source, 0 = unknown */
	char file[256];
	uint32_t insn;	   /* number in FUNCTION, or LOAD_NOWHERE */
	char function[32]; /* that the program calls; "" = the program itself */
};

/* Returns why load_open() failed if it was for one of these limits, else NULL. */
const struct load_refusal *load_refusal(const struct load *l);

/*
 * True if load_open() failed because the kernel does not let a function be traced by its type, as
 * ATTACH_FENTRY and ATTACH_FEXIT do; by kprobes it may.
 */
bool load_refused_function(const struct load *l);

/* Returns the verifier's log of the last load, "" when there is none. */
const char *load_log(const struct load *l);

/* Returns the size of the log's buffer when the log did not fit and was lost, else 0. */
uint32_t load_log_lost(const struct load *l);

/*
 * Returns the reason why this process cannot trace, as one line that names what is missing and what
 * to do (not root, capabilities missing, BPF turned off, lockdown); NULL = it can.
 */
const char *load_privileges(char *buf, size_t size);

/* Returns the number of possible CPUs, or -errno: /sys is not mounted. */
int load_cpus(void);

/*
 * Mapped bytes of the kernel's own type information, a types_load_fn.  ARG is a zeroed struct
 * load_btf that the caller frees after the table of types; NULL: they stay for the process.
 */
struct load_btf {
	void *data;
	size_t len;
};
int load_kernel_types(void *arg, const void **data, size_t *len);
void load_kernel_types_free(struct load_btf *btf);

/* The same of the kernel's module NAME, into the arena ARG; -ENOENT: there is none. */
int load_module_types(void *arg, const char *name, const void **data, size_t *len);

#endif
