/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach: the place that a probe's program is attached to, as data.  Providers plan it, src/ir
 * makes programs by it, src/load carries it out.
 */
#ifndef PROBE_ATTACH_H
#define PROBE_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/usdt.h"

struct dt_return_site;
struct dt_usdt_site;
struct arg_source;
struct derivation;

/*
 * The kinds of places to attach to; the hook and kind together choose the program, the key the
 * probe.
 */
enum attach_kind {
	ATTACH_BEGIN, /* run once by the consumer (BPF_PROG_RUN) */
	ATTACH_END,
	ATTACH_ERROR,	     /* called by the program that faulted */
	ATTACH_TP_BTF,	     /* BTF-typed raw tracepoint `hook` */
	ATTACH_EVENT_RECORD, /* trace event `hook` of group `module`, whose record is the context */
	ATTACH_RAW_TP,	     /* the same without types: one program can serve many */
	ATTACH_FENTRY,	     /* kernel function `hook`, its entry */
	ATTACH_FEXIT,	     /* its return */
	ATTACH_KPROBES,	     /* the entries of many functions */
	ATTACH_KRETPROBES,   /* their returns */
	ATTACH_UPROBES,	     /* instructions of programs and libraries */
	ATTACH_URETPROBES,   /* the returns of their functions, named by their entries */
	ATTACH_NETFILTER, /* netfilter hook `nf_hook` of family `nf_family`, each network namespace
			   */
	ATTACH_CPU_CLOCK, /* software clock event every `period` ns */
	ATTACH_EVENT,	  /* perf event `event_type`, `event_config`, every `period` of them */
};

/* True if the verifier knows the types of the pointers among the hook's arguments. */
static inline bool attach_is_typed(enum attach_kind k)
{
	return k == ATTACH_TP_BTF || k == ATTACH_FENTRY || k == ATTACH_FEXIT ||
		k == ATTACH_NETFILTER;
}

/* True if it interrupts whatever runs, and gives the registers of that. */
static inline bool attach_is_event(enum attach_kind k)
{
	return k == ATTACH_CPU_CLOCK || k == ATTACH_EVENT;
}

/* True if its places are in programs and libraries, and may come while tracing. */
static inline bool attach_is_user(enum attach_kind k)
{
	return k == ATTACH_UPROBES || k == ATTACH_URETPROBES;
}

/* The value by which a program that serves several probes of one hook tells them apart. */
enum key_source {
	KEY_NONE,	    /* one probe a program */
	KEY_SYSCALL_ENTER,  /* the system call's number, argument 1 of sys_enter */
	KEY_SYSCALL_EXIT,   /* the same, from the pt_regs of sys_exit */
	KEY_SYSCALL_RECORD, /* the same, from the records of raw_syscalls:sys_enter and sys_exit */
	KEY_COOKIE,	    /* the link's cookie, which the loader sets */
};

/* The processes whose firings count, of a place in user code; each includes those before it. */
enum attach_scope {
	IN_PROCESS, /* one: the place is attached in it alone */
	IN_FAMILY,  /* those that are followed, and their descendants; attached in all */
	IN_ALL,	    /* all but us */
};

/* A program or library that is attached to: its inode counts. */
struct attach_file {
	int fd;		  /* open as long as the session lives */
	const char *path; /* for messages */
	/* another with the same inode, the first that was known; NULL: none */
	const struct attach_file *same;
};

/*
 * Places that all functions of a kind go through in a process: its probes share them, and are told
 * apart by what dt_function() finds there (abi/function.h).
 */
struct attach_gate {
	struct {
		uint64_t addr, semaphore; /* as in struct attach_plan */
		uint8_t frame;		  /* enum dt_function_frame */
	} places[3];
	unsigned nplaces;
	bool ret; /* functions end there */
	/* what programs have to know of the process: SIZE bytes under its number in map MAP */
	const char *map;
	const void *known;
	size_t size;
};

/* As in struct dt_function (abi/function.h). */
struct attach_function {
	uint64_t code, file, name;
};

struct attach_plan {
	/*
	 * In: what the plan is for.  Whether a clause looks at the probe's arguments, and whether
	 * few of the provider's probes are enabled.
	 */
	bool args_used, few;
	/* out: */
	enum attach_kind kind;
	const char *hook;
	const char *module; /* of a function: the kernel module that it is in, NULL = the kernel */
	/* of a function; 0 = look it up by its name.  ATTACH_UPROBES: the offset in FILE, bytes */
	uint64_t addr;
	const struct attach_file *file; /* ATTACH_UPROBES, ATTACH_URETPROBES */
	pid_t pid;			/* the process in which, as we see it; 0 = all */
	const struct dt_usdt_site
		*usdt; /* how to find its arguments (abi/usdt.h), NULL = no USDT */
	/*
	 * ATTACH_URETPROBES: it is attached to the entries too, with ATTACH_ENTRY in the cookie.
	 * There it counts the calls whose returns the kernel will not remember.
	 */
	bool entries;
	/*
	 * ATTACH_UPROBES: the places are instructions that may leave a function (abi/returns.h),
	 * and this is one; NULL: not known yet
	 */
	bool leaves;
	bool carries; /* and the program carries out return instructions: the kernel need not */
	const struct dt_return_site *leave;
	uint64_t semaphore; /* offset in FILE of the counter of those who trace it; 0 = none */
	bool counters;	    /* ATTACH_UPROBES: such places may have one */
	/* the probe is of FUNCTION, which ADDR tells from others, and at GATE */
	bool by_function;
	const struct attach_gate *gate;
	const struct attach_function *function;
	uint8_t shift; /* ATTACH_UPROBES: ADDR is so many bytes after what the probe is about */
	enum key_source key_source;
	uint32_t key;		   /* this probe's value of it */
	uint32_t max_key;	   /* the largest that any probe of the hook can have */
	const uint16_t *more_keys; /* more values of a probe that is not of a table by cookies */
	uint32_t nmore_keys;
	/*
	 * The hook is also run by what programs use, maps and buffers, which may hold a lock of
	 * theirs then: a program is not run within another of the session.
	 */
	bool inner;
	bool sleepable; /* set by src/ir: the program may wait for pages of user memory */
	bool multi;	/* ATTACH_KPROBES, _UPROBES and their returns: one link for all of a file */
	enum attach_scope scope; /* ATTACH_UPROBES, ATTACH_URETPROBES; part of GROUP */
	uint32_t group;		 /* KEY_COOKIE: only probes of the same group can share a program */
	uint64_t period;	 /* ATTACH_CPU_CLOCK: ns; ATTACH_EVENT: how many */
	bool all_cpus;		 /* on each CPU, or on one */
	bool counted;		 /* set by src/ir: the program counts its firings, DT_COUNT_CLOCK */
	uint32_t event_type;	 /* ATTACH_EVENT: perf_event_attr.type */
	uint64_t event_config;	 /* its .config */
	bool only_user, only_kernel;   /* ATTACH_EVENT: what runs in this mode */
	uint8_t nf_family, nf_hook;    /* ATTACH_NETFILTER: NFPROTO_IPV4 .., NF_INET_LOCAL_IN .. */
	uint32_t rank;		       /* of the probes at one hook those of a lower one go first */
	const struct arg_source *raw;  /* of arg0 ..; NULL: as describe() said */
	const struct derivation *from; /* NULL: the hook's arguments are the probe's own */
};

#define ATTACH_ENTRY (1ull << 63) /* in a cookie: a place of a program for returns is an entry */

#define ATTACH_SCOPE	1000 /* attach_plan.group of a scope begins at so many times its number */
#define ATTACH_HEADLESS 500  /* added to it for processes whose first thread has ended */

/* Returns the part of GROUP, an attach_plan's, that the place has whoever it is attached for. */
static inline uint32_t attach_place_group(uint32_t group)
{
	return group % ATTACH_SCOPE % ATTACH_HEADLESS;
}

/* Sets what PLAN, whose group has no scope or another, says of SCOPE: scopes share no program. */
static inline void attach_set_scope(struct attach_plan *plan, enum attach_scope scope)
{
	plan->scope = scope;
	plan->group = plan->group % ATTACH_SCOPE + ATTACH_SCOPE * (uint32_t)scope;
}

/* One of the places that a program with KEY_COOKIE is attached to. */
struct attach_site {
	/* as in struct attach_plan */
	const char *hook;
	uint64_t addr, cookie;
	const struct attach_file *file;
	pid_t pid;
	uint64_t semaphore;
	const struct dt_usdt_site *usdt;
	const struct dt_return_site *leave;
	const struct attach_gate *gate;
	const struct attach_function *function;
};

#endif
