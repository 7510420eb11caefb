// SPDX-License-Identifier: Apache-2.0
/*
 * A library for LD_PRELOAD: system calls of the program do less than they were asked for.
 *
 * PARTIAL_SEED=S: each read and write of a file, a pipe or a stream transfers a part, which S
 * decides; 0: one byte.  PARTIAL_AT=N: the N-th call that a signal can interrupt, counted from 1,
 * fails with EINTR; 0: none does.  At the end the number of these calls is written to the file
 * PARTIAL_OUT.  Only calls in the program's own code count, not those of libraries, nor those of
 * processes that it starts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALMOST                                                                             \
	4096 /* a longer transfer is at least a quarter: one byte each would take for ever \
	      */

static unsigned long n, at, drawn, seed;
static int shortens;
static uintptr_t from, to; /* the program's code */
static pid_t self;

/* The first one is the program. */
static int note_code(struct dl_phdr_info *o, size_t size, void *arg)
{
	for (int i = 0; i < o->dlpi_phnum; i++) {
		if (o->dlpi_phdr[i].p_type == PT_LOAD && o->dlpi_phdr[i].p_flags & PF_X) {
			from = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
			to = from + o->dlpi_phdr[i].p_memsz;
		}
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *number = getenv("PARTIAL_AT"), *text = getenv("PARTIAL_SEED");

	at = number ? strtoul(number, NULL, 10) : 0;
	seed = text ? strtoul(text, NULL, 10) : 0;
	shortens = text != NULL;
	dl_iterate_phdr(note_code, NULL);
	self = getpid();
	unsetenv("PARTIAL_AT");
	unsetenv("PARTIAL_SEED");
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("PARTIAL_OUT");
	int fd = path && getpid() == self ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd >= 0) {
		dprintf(fd, "%lu\n", n);
		close(fd);
	}
}

static int is_ours(void *caller)
{
	return self && (uintptr_t)caller >= from && (uintptr_t)caller < to && getpid() == self;
}

static int fails(void *caller)
{
	if (!is_ours(caller) || __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) != at)
		return 0;
	errno = EINTR;
	return 1;
}

/* What is a stream of bytes can be cut anywhere; a message, and what the kernel's devices return,
 * cannot. */
static int is_stream(int fd)
{
	struct stat st;
	int type = 0;
	socklen_t len = sizeof(type);

	if (fstat(fd, &st))
		return 0;
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))
		return 1;
	return S_ISSOCK(st.st_mode) && !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) &&
		type == SOCK_STREAM;
}

static size_t part(void *caller, int fd, size_t len)
{
	unsigned long random;
	size_t most;

	if (!shortens || len < 2 || !is_ours(caller) || !is_stream(fd))
		return len;
	most = len > ALMOST ? len / 4 + 1 : 1;
	if (!seed)
		return most;
	random = (__atomic_add_fetch(&drawn, 1, __ATOMIC_RELAXED) + seed) * 0x9e3779b97f4a7c15;
	return most + (random >> 32) % (len - most + 1);
}

/* WRAP(TYPE, NAME, (PARAMETERS), ARGUMENTS): NAME is interrupted, or is the C library's. */
#define WRAP(type, name, parameters, ...)                                           \
	type name parameters                                                        \
	{                                                                           \
		static type(*real) parameters;                                      \
		if (!real)                                                          \
			real = (type(*) parameters)dlsym(RTLD_NEXT, #name);         \
		return fails(__builtin_return_address(0)) ? -1 : real(__VA_ARGS__); \
	}
#define PART(fd, len) part(__builtin_return_address(0), fd, len)

WRAP(ssize_t, read, (int fd, void *to, size_t len), fd, to, PART(fd, len))
WRAP(ssize_t, pread, (int fd, void *to, size_t len, off_t pos), fd, to, PART(fd, len), pos)
WRAP(ssize_t, write, (int fd, const void *data, size_t len), fd, data, PART(fd, len))
WRAP(ssize_t, recv, (int fd, void *to, size_t len, int flags), fd, to, PART(fd, len), flags)
WRAP(ssize_t, send, (int fd, const void *data, size_t len, int flags), fd, data, PART(fd, len),
	flags)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), fd, m, flags)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), fd, m, flags)
WRAP(int, poll, (struct pollfd * fds, nfds_t nfds, int ms), fds, nfds, ms)
WRAP(int, epoll_wait, (int fd, struct epoll_event *ev, int most, int ms), fd, ev, most, ms)
WRAP(pid_t, waitpid, (pid_t pid, int *status, int options), pid, status, options)
WRAP(int, nanosleep, (const struct timespec *ask, struct timespec *left), ask, left)
WRAP(int, connect, (int fd, const struct sockaddr *a, socklen_t len), fd, a, len)
WRAP(int, accept4, (int fd, struct sockaddr *a, socklen_t *len, int flags), fd, a, len, flags)
