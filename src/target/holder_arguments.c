// SPDX-License-Identifier: Apache-2.0
/* Reads the arguments of execve(2) from a process that waits in this call. */
#define _GNU_SOURCE /* process_vm_readv() */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "target/holder_int.h"

#define SLEEP_MS 400 /* for the thread to fall asleep */

/* The addresses of the path, the arguments and the variables. */
struct call {
	uint64_t path, args, vars;
};

/*
 * Reads the system call that the first thread of PID waits in (proc(5), /proc/PID/syscall).  The
 * question is there before the thread sleeps; the kernel says "running" until then.
 */
static void read_syscall(pid_t pid, char *text, size_t size)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < SLEEP_MS; i++) {
		n = fd < 0 ? -1 : pread(fd, text, size - 1, 0);
		text[n > 0 ? n : 0] = '\0';
		if (*text != 'r')
			break;
		nanosleep(&pause, NULL);
	}
	if (fd >= 0)
		close(fd);
}

/* False: it is not in execve(2). */
static bool read_call(pid_t pid, struct call *c)
{
	char text[256];
	long number;

	read_syscall(pid, text, sizeof(text));
	return sscanf(text, "%ld %" SCNx64 " %" SCNx64 " %" SCNx64, &number, &c->path, &c->args,
		       &c->vars) == 4 &&
		number == SYS_execve;
}

/* Reads SIZE bytes of PID at ADDR; false: they are not all there. */
static bool read_memory(pid_t pid, uint64_t addr, void *buf, size_t size)
{
	struct iovec to = {buf, size}, from = {(void *)(uintptr_t)addr, size};

	return process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)size;
}

/*
 * Reads the string at ADDR with its NUL, in pieces that end where pages do; returns its bytes, 0:
 * it is not there, or longer than SIZE.
 */
static size_t read_string(pid_t pid, uint64_t addr, char *buf, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t n = 0;

	while (n < size) {
		size_t piece = page - (addr + n) % page, len;

		piece = piece < size - n ? piece : size - n;
		if (!read_memory(pid, addr + n, buf + n, piece))
			return 0;
		len = strnlen(buf + n, piece);
		if (len < piece)
			return n + len + 1;
		n += piece;
	}
	return 0;
}

/* Appends the strings of the list at ADDR to T; false: not all could be read.  NULL is empty. */
static bool read_list(pid_t pid, uint64_t addr, struct holder_arguments *t)
{
	uint32_t from = t->nargs + t->nvars, n = from;
	uint64_t at = 0;
	size_t len;

	for (; addr; addr += sizeof(at)) {
		if (!read_memory(pid, addr, &at, sizeof(at)))
			return false;
		if (!at)
			break;
		len = read_string(pid, at, t->text + n, HOLDER_TEXT - n);
		if (!len)
			return false;
		n += (uint32_t)len;
	}
	t->nvars = n - from;
	return true;
}

/*
 * True if PATH of PID is the file open as FD.  Of a script it is not, and the interpreter gets what
 * is in its first line.  Where our root folder is another the file is not found, which is as good.
 */
static bool is_file(pid_t pid, const char *path, int fd)
{
	char name[PATH_MAX + 32];
	struct stat a, b;

	snprintf(name, sizeof(name), *path == '/' ? "/proc/%d/root%s" : "/proc/%d/cwd/%s", pid,
		path);
	return !fstat(fd, &a) && !stat(name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool read_arguments(pid_t pid, int fd, struct holder_arguments *t)
{
	char path[PATH_MAX];
	struct call c;

	if (!read_call(pid, &c) || !read_string(pid, c.path, path, sizeof(path)) ||
		!is_file(pid, path, fd) || !read_list(pid, c.args, t))
		return false;
	t->nargs = t->nvars;
	t->nvars = 0;
	return read_list(pid, c.vars, t);
}

void holder_send_arguments(int socket, uint64_t id, pid_t pid, int fd)
{
	static struct holder_arguments t;
	size_t head = offsetof(struct holder_arguments, text);

	t = (struct holder_arguments){.id = id};
	t.known = read_arguments(pid, fd, &t);
	(void)send(socket, &t, head + (t.known ? t.nargs + t.nvars : 0), MSG_NOSIGNAL);
}
