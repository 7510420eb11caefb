// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the file that a helper waits for.
 *
 * A blocked system call and its arguments are in /proc/PID/syscall (proc_pid_syscall(5)), which
 * needs no privilege for processes of our own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/input.h"
#include "base/living.h"
#include "compile/helper.h"
#include "sym/process.h"

/* A search below the guard. */
struct search {
	pid_t guard;
	char *name;
	size_t size;
};

static bool is_fifo(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

/* Copies the name at ADDR of PID; false if it is not the name of a FIFO there. */
static bool named_by(pid_t pid, unsigned long addr, char *name, size_t size)
{
	struct iovec to = {name, size - 1}, from = {(void *)addr, size - 1};
	char path[PATH_MAX + 32];
	ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);

	if (n <= 0) { /* the name may end before the page, and the next one not be there */
		to.iov_len = from.iov_len =
			4096 - addr % 4096 < size ? 4096 - addr % 4096 : size - 1;
		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	name[n > 0 ? n : 0] = '\0';
	if (*name == '/')
		return is_fifo(name);
	snprintf(path, sizeof(path), "/proc/%d/cwd/%s", living_thread(pid), name);
	return is_fifo(path);
}

static bool opened_as(pid_t pid, int fd, char *name, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", living_thread(pid), fd);
	n = is_fifo(path) ? readlink(path, name, size - 1) : -1;
	name[n > 0 ? n : 0] = '\0';
	return *name == '/'; /* not a pipe between the program's processes */
}

static bool awaits(pid_t pid, char *name, size_t size)
{
	unsigned long first = 0, second = 0;
	char path[64];
	long call;
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	f = input_open_regular(path);
	n = f ? fscanf(f, "%ld %lx %lx", &call, &first, &second) : 0;
	if (f)
		fclose(f);
	if (n < 3)
		return false;
	if (call == SYS_read)
		return opened_as(pid, (int)first, name, size);
	if (call == SYS_openat)
		return named_by(pid, second, name, size);
	return call == SYS_open && named_by(pid, first, name, size);
}

static int look(void *arg, pid_t pid)
{
	struct search *s = arg;
	pid_t above = pid;

	/* the preprocessor is a child of the guard, and what it runs is a child of that */
	for (int i = 0; i < 4 && above > 1 && above != s->guard; i++)
		above = process_parent(NULL, above);
	return above == s->guard && awaits(pid, s->name, s->size);
}

bool helper_awaits(pid_t guard, char *name, size_t size)
{
	struct search s = {guard, name, size};

	return process_all(look, &s) > 0;
}
