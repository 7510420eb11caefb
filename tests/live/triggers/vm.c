/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * vm: page faults, a known number of each kind, and what goes through the page cache.
 *
 *	vm minor N	N pages of new memory, written to
 *	vm zero N	N pages of new memory, read, and then written to: two faults each
 *	vm kernel N	N pages of new memory that read(2) writes to
 *	vm cow N	N pages shared with a parent, written to by the child
 *	vm protect N	N pages that may not be written to, until the handler of the fault allows it
 *	vm major N	N pages of this program's file, thrown out of memory before (77 if the
 *			kernel kept them)
 *	vm cache N	N reads of a page of this program's file, each of another page
 *
 * While it does that, the process is called "faulter".  It prints, the kernel's own counts
 * (getrusage(2)):
 *
 *	faults PID minor N major N	each page one fault, or two: there is nothing in between
 *	page ADDRESS			of each of them, in order
 *	file PATH
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "facts.h"

#define PAGE 4096L
#define MOST 256L /* pages that can be asked for */
#define SPAN \
	640L /* pages of a file, in some of which a large folio may be that can't be thrown out */

/* nobody else looks at the middle of it: pages of a file that can be thrown out */
static const char ballast[(SPAN + 64) * PAGE] = {1};

static struct rusage before;
static char path[4096];

static void count_begin(void)
{
	/* twice: the first takes the pages that this takes itself */
	getrusage(RUSAGE_SELF, &before);
	prctl(PR_SET_NAME, "faulter");
	getrusage(RUSAGE_SELF, &before);
}

static void count_end(char *pages, long n)
{
	struct rusage after;

	getrusage(RUSAGE_SELF, &after);
	prctl(PR_SET_NAME, "vm");
	fact("faults %d minor %ld major %ld", getpid(), after.ru_minflt - before.ru_minflt,
		after.ru_majflt - before.ru_majflt);
	for (long i = 0; i < n; i++)
		fact("page %#lx", (long)(pages + i * PAGE));
}

/* So many pages that nothing makes larger ones of. */
static char *memory(long n)
{
	char *p = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		fail(1, "mmap");
	madvise(p, n * PAGE, MADV_NOHUGEPAGE);
	return p;
}

static void write_pages(volatile char *p, long n)
{
	for (long i = 0; i < n; i++)
		p[i * PAGE] = 1;
}

static void read_pages(const volatile char *p, long n)
{
	for (long i = 0; i < n; i++)
		(void)p[i * PAGE];
}

static int vm_minor(long n)
{
	char *p = memory(n);

	count_begin();
	write_pages(p, n);
	count_end(p, n);
	return 0;
}

static int vm_zero(long n)
{
	char *p = memory(n);

	count_begin();
	read_pages(p, n);
	write_pages(p, n);
	count_end(p, n);
	return 0;
}

static int vm_kernel(long n)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *p = memory(n);

	count_begin();
	if (read(fd, p, n * PAGE) != n * PAGE)
		fail(1, "/dev/zero");
	count_end(p, n);
	return 0;
}

static int vm_cow(long n)
{
	char *p = memory(n);
	int status;
	pid_t pid;

	write_pages(p, n);
	pid = fork();
	if (pid == 0) {
		/* the stack is shared too */
		volatile char stack[8192];

		write_pages(stack, 2);
		count_begin();
		write_pages(p, n);
		count_end(p, n);
		_exit(0);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

static void allow(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	if (mprotect((void *)((long)info->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE))
		_exit(1);
}

static int vm_protect(long n)
{
	struct sigaction action = {.sa_sigaction = allow, .sa_flags = SA_SIGINFO};
	char *p = memory(n + 1);

	/* every page is there and its own, one more for what the handler takes */
	write_pages(p, n + 1);
	sigaction(SIGSEGV, &action, NULL);
	if (mprotect(p, (n + 1) * PAGE, PROT_READ))
		fail(1, "mprotect");
	write_pages(p + n * PAGE, 1);
	count_begin();
	write_pages(p, n);
	count_end(p, n);
	return 0;
}

/* Where the ballast is in the file, and the file; what the page cache has of it is thrown out. */
static int file_open(long *offset)
{
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	unsigned long from, to, at = 0;
	char line[4352];
	FILE *maps = fopen("/proc/self/maps", "re");

	if (fd < 0 || length < 0 || !maps)
		fail(1, "/proc/self");
	path[length] = 0;
	*offset = 0;
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &at) == 3 &&
			from <= (unsigned long)ballast && (unsigned long)ballast < to)
			*offset = ((unsigned long)ballast - from + at + PAGE - 1) & -PAGE;
	}
	fclose(maps);
	if (!*offset)
		fail(1, "no ballast");
	/* beyond what a fault at its begin brings along */
	*offset += 32 * PAGE;
	fsync(fd);
	posix_fadvise(fd, *offset, SPAN * PAGE, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd;
}

/* So many pages of the file that are not in memory, one after the other. */
static char *absent(int fd, long offset, long n)
{
	unsigned char there[SPAN];
	char *p = mmap(NULL, SPAN * PAGE, PROT_READ, MAP_PRIVATE, fd, offset);
	long run = 0;

	if (p == MAP_FAILED || mincore(p, SPAN * PAGE, there))
		fail(1, "mmap");
	madvise(p, SPAN * PAGE, MADV_RANDOM);
	for (long i = 0; i < SPAN; i++) {
		run = there[i] & 1 ? 0 : run + 1;
		if (run == n)
			return p + (i + 1 - n) * PAGE;
	}
	fail(77, "the kernel keeps the file");
}

static int vm_major(long n)
{
	long offset;
	int fd = file_open(&offset);
	char *p = absent(fd, offset, n);

	count_begin();
	read_pages(p, n);
	count_end(p, n);
	fact("file %s", path);
	return 0;
}

static int vm_cache(long n)
{
	char buffer[PAGE];
	long offset;
	int fd = file_open(&offset);

	count_begin();
	for (long i = 0; i < n; i++) {
		if (pread(fd, buffer, PAGE, offset + i * PAGE) != PAGE)
			fail(1, path);
	}
	count_end(NULL, 0);
	fact("file %s", path);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(long n);
	} all[] = {{"minor", vm_minor}, {"zero", vm_zero}, {"kernel", vm_kernel}, {"cow", vm_cow},
		{"protect", vm_protect}, {"major", vm_major}, {"cache", vm_cache}};
	long n = argc > 2 ? atol(argv[2]) : 8;

	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(*all); i++) {
		if (!strcmp(argv[1], all[i].name) && n > 0 && n <= MOST)
			return all[i].run(n);
	}
	fprintf(stderr,
		"vm minor N | zero N | kernel N | cow N | protect N | major N | cache N, N up to "
		"%ld\n",
		MOST);
	return 2;
}
