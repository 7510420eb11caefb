/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sym: addresses to names, for the kernel and for processes.
 *
 * Look-ups never fail loudly: what is unknown comes back with empty fields.  Everything is read
 * on first use and cached; a process is remembered after it has ended.  Strings handed out live
 * until symtab_free().  Data symbols are known too, where the kernel or the file lists them.
 */
#ifndef SYM_SYM_H
#define SYM_SYM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct symtab;

struct sym_info {
	const char *object;    /* module or file base name; "" = unknown; owned by the symtab */
	const char *name;      /* symbol; "" = unknown */
	uint64_t start;	       /* address where the symbol starts */
	uint64_t object_start; /* where the mapping of the object starts */
	/*
	 * The address as it is in the object's file, the same in each run; without the file's
	 * program headers, the offset in the mapping.  Only of a process, if `object` is known.
	 */
	uint64_t vaddr;
	bool sized; /* the symbol's file says that it reaches as far as the address */
	/* of a frame of a managed language, which has no address: */
	bool managed;
	bool first_line;  /* LINE is where the function begins */
	uint8_t kind;	  /* enum dt_frame_kind */
	uint32_t line;	  /* 0 = unknown */
	const char *file; /* as the language has it; "" = unknown */
};

/* NULL on lack of memory. */
struct symtab *symtab_new(void);
void symtab_free(struct symtab *s);

/* Names of managed frames are in the map FD (DT_MAP_NAMES), which stays the caller's. */
void sym_managed_open(struct symtab *s, int fd);

/* Looks up kernel address ADDR in /proc/kallsyms; object is "vmlinux" for the core kernel. */
void sym_kernel(struct symtab *s, uint64_t addr, struct sym_info *out);

/*
 * Address ADDR of process PID, or a managed frame (abi/managed.h); object is the mapped file's base
 * name, "[vdso]", "[uprobes]", or
 * "[jit]" for code that /tmp/perf-PID.map names.
 */
void sym_user(struct symtab *s, pid_t pid, uint64_t addr, struct sym_info *out);

/* Returns the word for enum dt_frame_kind, "" if it is none. */
const char *sym_managed_kind(unsigned kind);
/* Returns what follows the last slash of PATH, if anything does; else PATH. */
const char *sym_base_name(const char *path);

/*
 * Read now what sym_user() will need of process PID, while it is alive (its maps are gone once
 * it has ended).
 */
void sym_user_remember(struct symtab *s, pid_t pid);

/* A place in the source; FILE is a base name, LINE 0 when it is unknown.  Owned by the symtab. */
struct sym_line {
	const char *name; /* of the inlined function that it is in, as a symbol; "" = the symbol's
			     own */
	const char *file;
	uint32_t line;
};

#define SYM_MAX_LINES 32 /* functions inlined in each other */

/*
 * Finds the source lines of ADDR in process PID by the DWARF of its file: the functions inlined
 * there, innermost first, each with its line, and last the symbol's own function with the line of
 * the inlined call.  Returns their number, 0 = unknown.  Costs tens of milliseconds for the first
 * address of a large file.  A return address is the next instruction's: ask for the byte before.
 */
uint32_t sym_user_lines(struct symtab *s, pid_t pid, uint64_t addr, const struct sym_line **lines);

/*
 * True if ADDR of process PID is where a signal handler returns to: the next frame of a stack is
 * then no call but what was interrupted.  False also when the code isn't known.
 */
bool sym_user_is_sigreturn(struct symtab *s, pid_t pid, uint64_t addr);

/* Returns NAME, as the symtab gave it, demangled if it is a name of C++ or Rust; else NAME. */
const char *sym_demangled(struct symtab *s, const char *name);

/*
 * Learn of what processes map from now on, so that those that end before sym_user_remember() are
 * known too.  To be called when tracing starts and about every second: what the kernel tells is
 * kept for a few thousand mappings only.  sym_user_remember() does it too.
 */
void sym_user_watch(struct symtab *s);

/* Returns the address of kernel symbol NAME, 0 = unknown. */
uint64_t sym_kernel_address(struct symtab *s, const char *name);

struct sym_named {
	uint64_t addr;
	uint64_t size; /* of a kernel symbol up to the next; 0 = unknown */
	bool is_func;
	bool found;
};

/* Returns why the kernel shows no addresses of its symbols, one line; NULL: it shows them. */
const char *sym_kernel_hides(void);
/* True if names of kernel addresses were looked up and none is known. */
bool sym_kernel_nameless(const struct symtab *s);

/* True if names in a process were looked up that this process may not look at. */
bool sym_user_nameless(const struct symtab *s);

/* True if code of JIT compilers has no names because all of them together list too much. */
bool sym_user_lacks_room(const struct symtab *s);

/*
 * Kernel symbol NAME of MODULE ("" = any, the core kernel first); false when the kernel lists
 * none, or its address is hidden (kptr_restrict).
 */
bool sym_kernel_named(const char *module, const char *name, struct sym_named *out);
/* The same of N names in as much time; found says which of OUT there are. */
void sym_kernel_all_named(
	const char *module, const char *const *names, uint32_t n, struct sym_named *out);

/*
 * Finds symbol NAME of an object of process PID.  MODULE is a base name, with or without what
 * follows ".so", or "a.out", the program; "" = any: the program first, then the others in the order
 * in which they were loaded.  Functions and data, global ones before static ones.  False: none, or
 * no such process.  SIZE is as the file has it.
 */
bool sym_user_named(pid_t pid, const char *module, const char *name, struct sym_named *out);

/*
 * True if a kernel address belongs to the tracing machinery itself (BPF program, trampoline,
 * tracepoint glue): such frames at the top of stack() are not shown.
 */
int sym_kernel_is_tracing(struct symtab *s, uint64_t addr);

#endif
