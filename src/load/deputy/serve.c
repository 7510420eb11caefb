// SPDX-License-Identifier: Apache-2.0
/*
 * The deputy: checks and answers requests.  Whoever sends them may have been taken over by a file
 * that it has read, so they are taken for hostile.  System calls are made by syscall(): probes of
 * the C library's functions would fire here, too.
 */
#define _GNU_SOURCE /* O_PATH */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rooted.h"
#include "confine/looker.h"
#include "confine/passfd.h"
#include "confine/privilege.h"
#include "confine/calls.h"
#include "load/deputy/deputy.h"
#include "load/deputy/deputy_int.h"
#include "load/uprobe.h"
#include "sym/copier.h"

struct serving {
	int socket;
	const struct deputy_table *table;
	uint64_t *offsets, *cookies, *semaphores; /* N of each, of the next link */
	uint32_t n;
	bool counted;  /* some have a semaphore */
	bool overflow; /* there were more than a link may have */
	struct deputy_message m;
	size_t len; /* of what follows the request */
	int file;   /* that came with it, or -1 */
};

static void close_file(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* ---- opening ---- */

static int open_at(const char *path, int flags)
{
	long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* True for a program, a library or an object; a core dump has what no tracer need see. */
static bool is_elf(int fd)
{
	unsigned char head[EI_NIDENT + 2];

	return syscall(SYS_pread64, fd, head, sizeof(head), 0L) == (long)sizeof(head) &&
		!memcmp(head, ELFMAG, SELFMAG) && !head[EI_NIDENT + 1] &&
		head[EI_NIDENT] >= ET_REL && head[EI_NIDENT] <= ET_DYN;
}

/*
 * Opens PATH below ROOT (base/rooted.h) if it is an ELF file: whatever the path leads to, nothing
 * else is ever handed out, and nothing else is opened for reading, which can have effects.
 */
static int open_elf(const char *root, const char *path)
{
	int fd = rooted_open(root, path, O_PATH, 0, ROOTED_LINKS), file;
	struct stat st;

	if (fd < 0)
		return fd;
	if (syscall(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH) || !S_ISREG(st.st_mode) ||
		st.st_size <= EI_NIDENT) {
		close_file(fd);
		return -EPERM;
	}
	file = rooted_reopen_regular(fd, 0);
	close_file(fd);
	if (file < 0 || is_elf(file))
		return file;
	close_file(file);
	return -EPERM;
}

static int open_proc(pid_t pid, const char *name, int flags)
{
	char path[64];

	if (pid <= 0)
		return -EINVAL;
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return open_at(path, flags);
}

static int open_mapping(const struct deputy_request *r)
{
	char path[96];

	if (r->pid <= 0)
		return -EINVAL;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", r->pid,
		(unsigned long long)r->start, (unsigned long long)r->end);
	return open_elf(NULL, path);
}

/* It can hold secrets: nobody asks for that of other programs. */
static int open_environ(pid_t pid)
{
	char path[64], exe[4096];
	long n;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	n = syscall(SYS_readlinkat, AT_FDCWD, path, exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	return copier_depends(exe) ? open_proc(pid, "environ", O_RDONLY) : -EACCES;
}

static int open_path(const struct serving *s)
{
	pid_t pid = s->m.request.pid;
	char root[32] = "";

	if (pid < 0 || !s->len || s->len > sizeof(s->m.path) || s->m.path[0] != '/' ||
		s->m.path[s->len - 1])
		return -EINVAL;
	if (pid)
		snprintf(root, sizeof(root), "/proc/%d/root", pid);
	return open_elf(root, s->m.path);
}

static int look(const struct serving *s)
{
	const struct deputy_request *r = &s->m.request;

	switch (r->what) {
	case LOOK_MAPS:
		return open_proc(r->pid, "maps", O_RDONLY);
	case LOOK_AUXV:
		return open_proc(r->pid, "auxv", O_RDONLY);
	case LOOK_STAT:
		return open_proc(r->pid, "stat", O_RDONLY);
	case LOOK_ENVIRON:
		return open_environ(r->pid);
	case LOOK_EXE:
		return open_proc(r->pid, "exe", O_PATH);
	case LOOK_MAPPING:
		return open_mapping(r);
	case LOOK_FILE:
		return open_path(s);
	default:
		return -EINVAL;
	}
}

/* ---- attaching ---- */

static bool take_places(struct serving *s)
{
	uint32_t n = s->m.request.n;

	if (n > DEPUTY_AT_ONCE || s->len != n * sizeof(s->m.places[0]))
		return false;
	s->overflow |= n > s->table->most - s->n;
	for (uint32_t i = 0; i < n && !s->overflow; i++, s->n++) {
		s->offsets[s->n] = s->m.places[i].offset;
		s->semaphores[s->n] = s->m.places[i].semaphore;
		s->cookies[s->n] = s->m.places[i].cookie;
		s->counted |= s->m.places[i].semaphore != 0;
	}
	return true;
}

/* Returns the row of the request if its program may be attached to the places; NULL: it may not. */
static const struct deputy_row *allowed_row(const struct serving *s)
{
	const struct deputy_request *r = &s->m.request;
	const struct deputy_row *row = r->prog < s->table->n ? &s->table->rows[r->prog] : NULL;

	if (!row || row->prog < 0 || r->pid < 0 || (!row->shared && !r->pid))
		return NULL;
	if ((s->counted && !row->counters) || (!row->multi && s->n != 1))
		return NULL;
	return row;
}

static int link_places(struct serving *s, int *event)
{
	const struct deputy_row *row;
	struct uprobe_places p = {.file = s->file, .pid = s->m.request.pid};
	bool entries = s->m.request.kind == DEPUTY_LINK_ENTRIES;

	*event = -1;
	if (s->file < 0 || !take_places(s))
		return -EINVAL;
	if (s->overflow || !s->n)
		return -E2BIG;
	row = allowed_row(s);
	if (!row)
		return -EPERM;
	if (entries && !row->entries)
		return -EPERM;
	p.ret = row->ret && !entries;
	p.n = s->n;
	p.offsets = s->offsets;
	p.cookies = s->cookies;
	p.semaphores = s->counted ? s->semaphores : NULL;
	return row->multi ? uprobe_link(row->prog, &p)
			  : uprobe_event(row->prog, &s->table->pmu, &p, event);
}

static void forget_places(struct serving *s)
{
	s->n = 0;
	s->counted = s->overflow = false;
}

/* ---- messages ---- */

static void send_answer(const struct serving *s, int err, const int *fds, unsigned n)
{
	struct deputy_answer a = {.err = err};
	struct iovec iov = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;

	passfd_put(&m, &room, fds, n);
	syscall(SYS_sendmsg, s->socket, &m, MSG_NOSIGNAL);
}

/* Sends RESULT, a descriptor or a negative errno, and perhaps a second descriptor. */
static void answer(const struct serving *s, int result, int event)
{
	const int fds[DEPUTY_FILES] = {result, event};

	send_answer(s, result < 0 ? result : 0, fds, result < 0 ? 0 : event < 0 ? 1 : 2);
	close_file(result);
	close_file(event);
}

/* Receives a request: 1, 0 = the tracer has ended, -1 = one that cannot be understood. */
static int receive(struct serving *s)
{
	struct iovec iov = {&s->m, sizeof(s->m)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	long n;

	passfd_want(&m, &room, 1);
	do
		n = syscall(SYS_recvmsg, s->socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return 0;
	passfd_take(&m, &s->file, 1);
	s->len = (size_t)n < sizeof(s->m.request) ? 0 : (size_t)n - sizeof(s->m.request);
	return (size_t)n < sizeof(s->m.request) || m.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -1 : 1;
}

static void serve(struct serving *s)
{
	int event = -1, r = -EINVAL;

	switch (s->m.request.kind) {
	case DEPUTY_PLACES:
		s->overflow |= !take_places(s);
		return;
	case DEPUTY_LINK:
	case DEPUTY_LINK_ENTRIES:
		r = link_places(s, &event);
		break;
	case DEPUTY_LOOK:
		r = look(s);
		break;
	}
	forget_places(s);
	answer(s, r, event);
}

int deputy_serve(int socket, const struct deputy_table *t)
{
	struct serving s = {.socket = socket, .table = t, .file = -1};
	size_t size = (size_t)(t->most + 1) * sizeof(uint64_t);
	char *memory = mmap(NULL, 3 * size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int r;

	if (memory == MAP_FAILED)
		return -errno;
	s.offsets = (uint64_t *)memory;
	s.cookies = (uint64_t *)(memory + size);
	s.semaphores = (uint64_t *)(memory + 2 * size);
	send_answer(&s, 0, NULL, 0); /* it is ready */
	while ((r = receive(&s)) != 0) {
		if (r > 0) {
			serve(&s);
		} else {
			forget_places(&s);
			answer(&s, -EINVAL, -1);
		}
		close_file(s.file);
	}
	munmap(memory, 3 * size);
	return 0;
}

void deputy_refuse(int socket, int err)
{
	const struct serving s = {.socket = socket};

	send_answer(&s, err, NULL, 0);
}

/* ---- its own rights ---- */

int deputy_confine(uint64_t caps, pid_t tracer)
{
	int err = privilege_keep(caps);

	if (err)
		return err;
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	/* also if the socket was inherited by somebody; new rights would take it back */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		return -errno;
	if (getppid() != tracer)
		return -ESRCH;
	err = calls_allow(CALLS_DEPUTY);
	return err == -ENOSYS ? 0 : err; /* a kernel without seccomp(2) */
}
