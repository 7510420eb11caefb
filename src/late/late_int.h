/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late_int: private to late.c (processes), files.c (files that processes share), copied.c (those
 * that copy code), again.c (all of them, when some were missed), attach.c (programs), deputy.c (the
 * process that attaches for us) and unchecked.c (clauses that need their probes to compile).
 */
#ifndef LATE_LATE_INT_H
#define LATE_LATE_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/heapvec.h"
#include "base/intmap.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "ir/places.h"
#include "late/late.h"
#include "probe/attach.h"

struct arena;
struct holder;
struct mapwatch_event;
struct open_prog;
struct probe;
struct probe_pattern;
struct sema_clause;
struct loop_wait;

/* A place that a program is attached to. */
struct attached {
	uint32_t prog;
	const struct attach_file *file;
	uint64_t addr, cookie;
};

/* A process with attached probes, of the targets' family, or with a recent change. */
struct late_process {
	pid_t pid;
	HEAPVEC(struct attached) attached;
	bool family;	 /* a target, or a child of one, or a child's */
	bool changed;	 /* since the last look */
	bool functions;	 /* a program has met new ones in it since then */
	bool held;	 /* its threads wait for the probes of Java classes */
	bool exec;	 /* its files are others now, though their probes may have the same names */
	bool beheaded;	 /* its first thread has ended, and its uprobes with it */
	uint64_t ending; /* when one of its threads ended, CLOCK_MONOTONIC ns; 0: none has */
};

/* A clause whose description may match more. */
struct late_clause {
	struct sema_clause *clause;
	bool found; /* it has matched something */
};

struct looker;

struct late {
	struct late_env env;
	struct mapwatch *watch; /* NULL: nobody waits for anything */
	struct {
		/* of what happens to processes; those that are held; classes of Java VMs; functions
		 */
		struct loop_wait *processes, *held, *classes, *functions;
	} waits;
	VEC(struct late_clause) clauses;
	bool by_process, by_file;   /* some of them are attached so */
	struct places places;	    /* that programs are attached to, and that are left */
	struct intmap processes;    /* by pid: struct late_process, on the heap */
	struct holder *holder;	    /* option hold; or NULL */
	HEAPVEC(pid_t) changed;	    /* in the order of their first change */
	struct strmap shared;	    /* by place: struct shared_place; none if no clause joins */
	struct intmap copiers;	    /* by pid: what was told of those that copy code */
	struct intmap decided;	    /* by pid: when it was held and decided on, as event times */
	struct intmap left_out;	    /* by pid: those that held ones were, event times, twice */
	uint64_t separated;	    /* when a file's places were last separated, as event times */
	bool asks_all;		    /* the holder asks about each exec, see copied.c */
	bool joins;		    /* some clause does */
	uint64_t look_again, pause; /* for functions: CLOCK_MONOTONIC ns, not before; ns */
	bool names;		    /* what was recorded names probes by their ids until the end */
	bool forgotten;		    /* some processes' records may still be in the buffer */
	bool lost;		    /* some of what happened was not told since the last work */
	bool again;		    /* so all processes are to be looked at once more */
	uint64_t looked_again;	    /* when that was done, CLOCK_MONOTONIC ns; 0: never */
	uint64_t unseen;	    /* number of events that were not told, so far */
	bool full, told_full;	    /* there is no place for another probe */
	bool limited, told_limited; /* the user may have no more */
	bool alone, told_alone;	    /* the process that attaches has ended */
	bool missed;		    /* a probe came since, of one program */
	VEC(struct attach_site) sites; /* being made, of one program */
	struct arena *look;	       /* memory of one look at what has changed */
	unsigned requests; /* interrupt_count() when something was begun to be looked at */
	struct late_files {
		struct arena *arena;  /* of the next */
		struct strmap known;  /* by device and inode: struct late_file */
		struct intmap execed; /* by pid: those whose next mapping is the program's */
		struct intmap early;  /* by pid: those that are counted, and until when, ns */
		uint64_t unplaced;    /* number of those */
		uint32_t next;	      /* shared probes with a lower id are attached */
		int error;
	} files;
};

/* ---- late.c ---- */

/* Returns the entry of PID, a new one if there is none; NULL: no memory. */
struct late_process *late_process(struct late *l, pid_t pid);

/* Returns the entry of PID; NULL: there is none. */
struct late_process *late_find(const struct late *l, pid_t pid);

/* True if results contain ids of probes that are turned into names later. */
bool late_needs_names(const struct late *l);

/* True if PID is a target, or descends from one. */
bool late_in_family(const struct late *l, pid_t pid);

/* Look at process PID with the next work; EXEC: as if it had executed something. */
struct late_process *late_note_change(struct late *l, pid_t pid, bool exec);

/* ---- again.c ---- */

/* N events were not told. */
void late_note_lost(struct late *l, uint64_t n);

/*
 * If events were not told, look at what they might have been about: note the processes whose own
 * probes may have changed, and attach to the files that processes share.  0 or -errno.
 */
int late_look_again(struct late *l);

/* ---- attach.c ---- */

/*
 * The description of C for process PID: what was written for a target is meant for its family, too.
 * False: it is not about PID, or not attached by process.
 */
bool late_pattern_for(
	struct late *l, const struct sema_clause *c, pid_t pid, struct probe_pattern *pat);

/* Give the programs the locations of the arguments of site S.  0 or -errno. */
int late_install_site(struct load *load, const struct attach_site *s);

/*
 * Notes the clauses that program O has at place S, which processes share: those of one process are
 * not attached there again.
 */
void late_note_shared(struct late *l, const struct open_prog *o, const struct attach_site *s);

/* Note that program PROG is attached to S, in a process.  0 or -ENOMEM. */
int late_note_attached(struct late *l, uint32_t prog, const struct attach_site *s);

/*
 * Attach open program O to the probes with ids of FIRST or above that process P has; NULL: to the
 * shared ones.  0 or -errno; -EPIPE: there are some, but nobody to attach.
 */
int late_attach_program(
	struct late *l, const struct late_process *p, const struct open_prog *o, uint32_t first);

/* Attach the programs to the gates of functions that process PID will have.  0 or -errno. */
int late_attach_gates(struct late *l, pid_t pid);

/* True if C is enabled on P, in process PID unless P is shared. */
bool late_is_enabled(struct late *l, const struct sema_clause *c, const struct probe *p, pid_t pid);

/* ---- copied.c ---- */

/* What mapwatch tells, before late_files_event(). */
void late_copied_event(struct late *l, const struct mapwatch_event *e);

/*
 * Process PID is held before it executes O: a translator is left out, others get the probes that
 * are placed process by process.  True: the next one that executes it has to be held as well.
 */
struct process_object;
struct held_file;
bool late_copied_held(struct late *l, const struct held_file *held, const struct process_object *o);

/* The same of one that opens O; the kernel asks about that at each exec as well. */
bool late_copied_opened(
	const struct late *l, const struct held_file *held, const struct process_object *o);

/* Have all be held that execute something if a file's places are attached process by process. */
void late_copied_hold(struct late *l);

/* Report the processes that attaching left out. */
void late_tell_copiers(struct late *l);

/* ---- deputy.c ---- */

/* Returns who opens files of processes; NULL: we do. */
const struct looker *late_looker(const struct late *l);

/* Note whether the process that attaches has ended, and say so once. */
void late_check_deputy(struct late *l);

/* ---- unchecked.c ---- */

/*
 * Compile and load the clauses that did not compile without a probe, if one has come: of process
 * P, or shared (NULL).  Call it before the programs are attached to that probe.  A clause that
 * cannot be enabled is reported, once.
 */
void late_enable_unchecked(struct late *l, const struct late_process *p);

/* ---- files.c ---- */

/* Look at the files of all processes once more: those that came since the descriptions matched. */
void late_files_open(struct late *l);
void late_files_ask(struct late *l); /* the same later: late_files_attach() attaches */
void late_files_close(struct late *l);

/* Counts process PID, once, that ran before its probes were placed, at PLACED (ns). */
void late_count_early(struct late *l, pid_t pid, uint64_t placed);

/* What mapwatch tells; errors wait in files.error. */
void late_files_event(struct late *l, const struct mapwatch_event *e);

/* Begin to hold processes, if option hold says so: 0 or -errno and a message. */
int late_files_hold(struct late *l);
/* Look at the files for which processes are held, and let them go on. */
void late_files_held(struct late *l);

/* Ask about the files that a followed process PID maps. */
void late_files_of(struct late *l, pid_t pid);

/* True if programs follow PID: our own list comes from messages, which may be late. */
bool late_is_followed(const struct late *l, pid_t pid);

/* Attach to the shared probes that are new.  0 or -errno. */
int late_files_attach(struct late *l);

#endif
