// SPDX-License-Identifier: Apache-2.0
/*
 * Puts copies of its own code in the place of it, as programs do for huge pages: one page at the
 * start, another one after a byte came from stdin.  Each page has a function.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE  4096
#define ALONE __attribute__((aligned(PAGE), noinline))

int first(int n);
int second(int n);
int stays(int n);

ALONE int first(int n)
{
	__asm__ volatile("");
	return n + 1;
}

ALONE int second(int n)
{
	__asm__ volatile("");
	return n + 2;
}

ALONE int stays(int n)
{
	__asm__ volatile("");
	return n + 3;
}

static int move(void *page)
{
	void *copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		return 1;
	memcpy(copy, page, PAGE);
	return mprotect(copy, PAGE, PROT_READ | PROT_EXEC) ||
		mremap(copy, PAGE, PAGE, MREMAP_FIXED | MREMAP_MAYMOVE, page) == MAP_FAILED;
}

int main(void)
{
	int sum = 0;
	char c;

	if (move((void *)first))
		return 1;
	puts("moved");
	fflush(stdout);
	if (read(STDIN_FILENO, &c, 1) < 0 || move((void *)second))
		return 1;
	for (int i = 0; i < 10; i++)
		sum += first(i) + second(i) + stays(i);
	printf("sum %d\n", sum);
	return sum != 195;
}
