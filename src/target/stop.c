// SPDX-License-Identifier: Apache-2.0
/* Runs a created process to the point that option evaltime names, and holds it there. */
#define _GNU_SOURCE
#include "target/stop.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/control.h"
#include "arch/thread.h"
#include "base/transfer.h"
#include "elf/file.h"
#include "sym/process.h"

/* ---- waiting ---- */

pid_t stop_waitpid(pid_t pid, int *status, int flags)
{
	pid_t r;

	do
		r = waitpid(pid, status, flags | __WALL);
	while (r < 0 && errno == EINTR);
	return r;
}

/* Let a stopped process go on with its signal; see ptrace(2), "Attaching and detaching". */
static int step_on(pid_t pid, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16;

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) /* ^Z: stay so until SIGCONT */
		return ptrace(PTRACE_LISTEN, pid, 0, 0) ? -errno : 0;
	return ptrace(PTRACE_CONT, pid, 0, event ? 0 : sig) ? -errno : 0;
}

/* Wait for any stop of PID: 0, or 1 = it has died, or negative errno. */
static int wait_any(pid_t pid, int *status)
{
	if (stop_waitpid(pid, status, 0) < 0) {
		*status = -1; /* SIGCHLD is ignored: reaped by the kernel */
		return errno == ECHILD ? 1 : -errno;
	}
	return WIFSTOPPED(*status) ? 0 : 1;
}

static bool is_exec(int status)
{
	return status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8);
}

int stop_after_exec(pid_t pid, int *status)
{
	for (;;) {
		int r = wait_any(pid, status);

		if (r || is_exec(*status))
			return r;
		/* ESRCH: it is being killed, the next wait tells */
		if (step_on(pid, *status) == -EPERM)
			return -EPERM;
	}
}

/* ---- privileges ---- */

/* Reads the line of /proc/PID/status that begins with NAME by FORMAT, of one number. */
static bool read_status(const char *process, const char *format, unsigned long long *n)
{
	char path[64], line[256];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/status", process);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, format, n) == 1;
	if (file)
		fclose(file);
	return found;
}

bool stop_lost_ids(pid_t pid)
{
	unsigned long long caps, uid, gid;
	char process[24], exe[40];
	struct statvfs fs;
	struct stat st;

	snprintf(process, sizeof(process), "%d", pid);
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	if (!read_status("self", "CapEff: %llx", &caps) || caps >> CAP_SYS_PTRACE & 1 ||
		prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) || stat(exe, &st) || statvfs(exe, &fs) ||
		fs.f_flag & ST_NOSUID || !read_status(process, "Uid: %*u %llu", &uid) ||
		!read_status(process, "Gid: %*u %llu", &gid))
		return false;
	/* without the group's x the bit means locking (inode(7)) */
	return (st.st_mode & S_ISUID && st.st_uid != uid) ||
		((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != gid);
}

/* ---- breakpoints ---- */

/* The results of running to a place; negative errno: the process has not moved. */
enum { REACHED, DIED, EXECED };

struct breakpoint {
	pid_t pid;
	uint64_t addr;
	long word; /* what is there without it */
};

static int set_breakpoint(struct breakpoint *b)
{
	errno = 0;
	b->word = ptrace(PTRACE_PEEKTEXT, b->pid, b->addr, 0);
	if (errno)
		return -errno;
	/* one that is there already is a uprobe's, which we'd never see */
	if (thread_is_breakpoint((unsigned long)b->word))
		return -EBUSY;
	return ptrace(PTRACE_POKETEXT, b->pid, b->addr, thread_breakpoint((unsigned long)b->word))
		? -errno
		: 0;
}

static void clear(const struct breakpoint *b)
{
	ptrace(PTRACE_POKETEXT, b->pid, b->addr, b->word);
}

/* At the breakpoint?  Then take its byte's place: go back before it. */
static bool is_at(const struct breakpoint *b)
{
	return thread_back_to(b->pid, b->addr) == 1;
}

/*
 * Releases a new child or thread of the process, which is traced too; removes the breakpoint if it
 * has memory of its own.
 */
static void release_child(const struct breakpoint *b)
{
	unsigned long child;
	int status;

	if (ptrace(PTRACE_GETEVENTMSG, b->pid, 0, &child))
		return;
	if (wait_any((pid_t)child, &status))
		return;
	ptrace(PTRACE_POKETEXT, (pid_t)child, b->addr, b->word);
	/* where the memory is one it is gone here, too */
	ptrace(PTRACE_POKETEXT, b->pid, b->addr, thread_breakpoint((unsigned long)b->word));
	ptrace(PTRACE_DETACH, (pid_t)child, 0, 0);
}

static bool is_new_child(int status)
{
	int event = status >> 16;

	return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
		event == PTRACE_EVENT_CLONE;
}

#define WITH_CHILDREN \
	(STOP_OPTIONS | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE)

/* Let it run until the breakpoint, which is set. */
static int run_on(const struct breakpoint *b, int *status)
{
	ptrace(PTRACE_CONT, b->pid, 0, 0);
	for (;;) {
		int r = wait_any(b->pid, status);

		if (r)
			return DIED;
		if (is_exec(*status))
			return EXECED;
		if (*status >> 8 == SIGTRAP && is_at(b))
			return REACHED;
		if (is_new_child(*status))
			release_child(b);
		step_on(b->pid, *status);
	}
}

/* Runs one instruction: 0, or 1 = the process has died. */
static int step_instruction(pid_t pid, int *status)
{
	int sig = 0;

	do {
		ptrace(PTRACE_SINGLESTEP, pid, 0, sig);
		if (wait_any(pid, status))
			return 1;
		sig = WSTOPSIG(*status);
	} while (sig != SIGTRAP);
	return 0;
}

/*
 * Run to B's address, until DONE (NULL = the first time) says that it is the right time.  The
 * breakpoint is gone at the end.
 */
static int run_until(
	struct breakpoint *b, bool (*done)(void *arg, pid_t pid), void *arg, int *status)
{
	int r = set_breakpoint(b);

	if (r)
		return r;
	ptrace(PTRACE_SETOPTIONS, b->pid, 0, WITH_CHILDREN);
	for (;;) {
		r = run_on(b, status);
		if (r != REACHED)
			break;
		clear(b);
		if (!done || done(arg, b->pid))
			break;
		if (step_instruction(b->pid, status)) {
			r = DIED;
			break;
		}
		set_breakpoint(b);
	}
	if (r != DIED)
		ptrace(PTRACE_SETOPTIONS, b->pid, 0, STOP_OPTIONS);
	return r;
}

static int run_to(pid_t pid, uint64_t addr, int *status)
{
	struct breakpoint b = {.pid = pid, .addr = addr};

	return addr ? run_until(&b, NULL, NULL, status) : -ENOENT;
}

/* ---- places ---- */

/*
 * The data that the kernel passes to a program (getauxval(3)), with words of 4 bytes in a 32-bit
 * process.
 */
struct start {
	uint64_t entry; /* of the program; 0 = unknown */
	uint64_t base;	/* where its interpreter is; 0 = it has none */
	bool is_32bit;
};

static uint64_t auxv(const unsigned char *aux, size_t n, size_t word, uint64_t type)
{
	for (size_t i = 0; i + 2 * word <= n; i += 2 * word) {
		uint64_t tag = 0, value = 0;

		memcpy(&tag, aux + i, word);
		memcpy(&value, aux + i + word, word);
		if (tag == type)
			return value;
	}
	return 0;
}

static void read_start(pid_t pid, struct start *s)
{
	unsigned char aux[1024];
	char path[32];
	size_t word = 8;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : transfer_read(fd, aux, sizeof(aux));
	if (fd >= 0)
		close(fd);
	memset(s, 0, sizeof(*s));
	if (n <= 0)
		return;
	if (!auxv(aux, (size_t)n, word, AT_ENTRY)) {
		word = 4;
		s->is_32bit = true;
	}
	s->entry = auxv(aux, (size_t)n, word, AT_ENTRY);
	s->base = auxv(aux, (size_t)n, word, AT_BASE);
}

/* A symbol that is looked for in one of the process's files. */
struct wanted {
	pid_t pid;
	const char *name;
	bool main;     /* in the program; else in what is mapped at BASE */
	uint64_t base; /* of the interpreter: its first virtual address is 0 */
	uint64_t addr; /* found; 0 = not */
};

static uint64_t value_of(const struct elf_file *f, const char *root, const char *name)
{
	struct elf_tables t;
	uint64_t value = 0;

	if (elf_tables_load(f, root, &t))
		return 0;
	for (uint32_t i = 0; i < t.n; i++)
		for (uint32_t k = 0; k < t.v[i].n && !value; k++)
			if (t.v[i].v[k].st_shndx != SHN_UNDEF && t.v[i].v[k].st_value &&
				!strcmp(elf_symbol_name(&t.v[i], &t.v[i].v[k]), name))
				value = t.v[i].v[k].st_value;
	elf_tables_free(&t);
	return value;
}

static int look_in(void *arg, const struct process_object *o)
{
	struct wanted *w = arg;
	struct elf_file f;
	char root[32];
	uint64_t value;
	int fd;

	if (w->main ? !o->main : o->main || o->bias != w->base)
		return 0;
	fd = process_open(w->pid, o);
	if (fd < 0)
		return 1;
	snprintf(root, sizeof(root), "/proc/%d/root", w->pid);
	if (!elf_file_open(&f, fd)) {
		value = value_of(&f, root, w->name);
		w->addr = value ? value + o->bias : 0;
		elf_file_close(&f);
	}
	close(fd);
	return 1;
}

static uint64_t program_symbol(pid_t pid, const char *name)
{
	struct wanted w = {.pid = pid, .name = name, .main = true};

	process_objects(pid, look_in, &w);
	return w.addr;
}

static uint64_t linker_symbol(pid_t pid, uint64_t base, const char *name)
{
	struct wanted w = {.pid = pid, .name = name, .base = base};

	if (base)
		process_objects(pid, look_in, &w);
	return w.addr;
}

static size_t read_memory(pid_t pid, uint64_t addr, void *buf, size_t len)
{
	char *to = buf;
	size_t n = 0;

	for (; n + sizeof(long) <= len; n += sizeof(long)) {
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKTEXT, pid, addr + n, 0);
		if (errno)
			break;
		memcpy(to + n, &word, sizeof(word));
	}
	return n;
}

/* ---- when the libraries are there ---- */

/* The place of the state in _r_debug (<link.h>: a number, two pointers, the state). */
struct meeting {
	uint64_t state; /* its address; 0 = unknown */
};

static bool is_consistent(void *arg, pid_t pid)
{
	const struct meeting *m = arg;
	long word;

	/* musl calls it but once */
	if (!m->state)
		return true;
	errno = 0;
	word = ptrace(PTRACE_PEEKDATA, pid, m->state, 0);
	return errno || (int)word == RT_CONSISTENT;
}

/*
 * Dynamic linkers call this function with the state RT_CONSISTENT when all libraries are mapped and
 * relocated, and run initialisers then.
 */
static int run_to_libraries(pid_t pid, const struct start *s, int *status)
{
	struct breakpoint b = {.pid = pid, .addr = linker_symbol(pid, s->base, "_dl_debug_state")};
	struct meeting m = {.state = linker_symbol(pid, s->base, "_r_debug")};

	if (!b.addr)
		return -ENOENT;
	if (m.state)
		m.state += s->is_32bit ? 12 : 24;
	return run_until(&b, is_consistent, &m, status);
}

/* ---- main() ---- */

/*
 * Returns the first call at the program's entry point: of what gets main()'s address; 0 = not
 * found.  Go's entry point has none: it jumps.
 */
static uint64_t first_call(pid_t pid, uint64_t entry)
{
	uint8_t code[128];
	size_t len = read_memory(pid, entry, code, sizeof(code)), at = 0;
	struct control to;

	for (; at < len && control_decode(code + at, len - at, &to); at += to.len) {
		if (to.kind == CONTROL_CALL || to.kind == CONTROL_CALLED)
			return entry + at;
		if (to.kind == CONTROL_JUMP || to.kind == CONTROL_INDIRECT ||
			to.kind == CONTROL_RETURN) /* what follows is not run */
			break;
	}
	return 0;
}

/* True if ADDR is code: where it is not, the first argument of the call was not main(). */
static bool is_code(pid_t pid, uint64_t addr)
{
	char path[32], line[512], perms[5];
	unsigned long long from, to;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%llx-%llx %4s", &from, &to, perms) == 3 && addr >= from &&
			addr < to && perms[2] == 'x';
	if (f)
		fclose(f);
	return found;
}

/*
 * Runs to main() of a program without symbols, from its entry point: __libc_start_main()'s
 * argument.
 */
static int run_to_argument(pid_t pid, const struct start *s, int *status)
{
	uint64_t main;
	int r;

	if (s->is_32bit)
		return -ENOTSUP;
	r = run_to(pid, first_call(pid, s->entry), status);
	if (r != REACHED)
		return r;
	if (thread_first_arg(pid, &main) || !is_code(pid, main))
		return -ENOENT;
	return run_to(pid, main, status);
}

/* Runs to main(), or to the last place before it that can be found; both are REACHED. */
static int run_to_main(pid_t pid, const struct start *s, int *status)
{
	uint64_t main = program_symbol(pid, "main");
	int r = main ? run_to(pid, main, status) : -ENOENT;

	if (r >= 0)
		return r;
	r = run_to(pid, s->entry, status);
	if (r < 0)
		return run_to_libraries(pid, s, status);
	if (r == REACHED)
		r = run_to_argument(pid, s, status);
	return r < 0 ? REACHED : r;
}

int stop_run(pid_t pid, enum target_stop where, int *status)
{
	struct start start;
	int r;

	if (where == TARGET_STOP_EXEC)
		return 0;
	do {
		read_start(pid, &start);
		r = where == TARGET_STOP_PREINIT ? run_to_libraries(pid, &start, status)
						 : run_to_main(pid, &start, status);
	} while (r == EXECED);
	return r == DIED;
}
