/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -g -O1 -fno-builtin */
/*
 * memory: what a program does with memory.
 *
 *	memory malloc SMALL LARGE	SMALL malloc(3)s of 100 bytes, LARGE ones of a megabyte,
 *each freed memory span			mmap(2), grow() and what it calls, munmap(2) of the
 *same; then grow() once more memory file PATH		take() of what is in PATH, mapped and never
 *touched: at its beginning, across two pages, in memory given back, and at addresses where nothing
 *is
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEGABYTE (1 << 20)

__attribute__((noinline)) void leaf(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory");
}

__attribute__((noinline)) void grow(int n)
{
	leaf(n);
	leaf(n + 1);
	__asm__ volatile("");
}

__attribute__((noinline)) void take(const char *s)
{
	__asm__ volatile("" : : "r"(s) : "memory");
}

static void allocate(int n, size_t size)
{
	while (n-- > 0) {
		char *p = malloc(size);

		__asm__ volatile("" : : "r"(p) : "memory");
		free(p);
	}
}

/* Not mmap(3): the functions called in between are ours alone. */
static void span(void)
{
	long p = syscall(SYS_mmap, NULL, MEGABYTE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	grow(1);
	syscall(SYS_munmap, p, MEGABYTE);
	grow(2);
}

static int file(const char *path)
{
	int fd = open(path, O_RDONLY);
	char *p = mmap(NULL, 3 * 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || own == MAP_FAILED)
		return 1;
	take(p);
	take(p + 4096 - 3);
	strcpy(own, "given back");
	madvise(own, 4096, MADV_DONTNEED);
	take(own);
	munmap(own, 4096);
	take(own);
	take((const char *)8);
	return 0;
}

static int is_there(char *page)
{
	unsigned char there = 0;

	return !mincore(page, 4096, &there) && there & 1;
}

static int absent(const char *path)
{
	int fd = open(path, O_RDONLY), before;
	off_t size = lseek(fd, 0, SEEK_END);
	char *p = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0), *last = p + size - 4096;

	if (p == MAP_FAILED || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) ||
		madvise(p, (size_t)size, MADV_RANDOM))
		return 1;
	before = is_there(last);
	take(p);
	fputs(!before && is_there(last) ? "fetched\n" : "not fetched\n", stderr);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "malloc")) {
		allocate(atoi(argv[2]), 100);
		allocate(atoi(argv[3]), MEGABYTE);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "span")) {
		span();
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "long"))
		return absent(argv[2]);
	return argc == 3 && !strcmp(argv[1], "file") ? file(argv[2]) : 2;
}
