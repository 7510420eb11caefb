// SPDX-License-Identifier: Apache-2.0
/*
 * leak: allocates memory in each way that the C library has.  What it keeps, by function: leaks()
 * 10 blocks of 100 bytes, grows() one of 5000 and one of 300, zeroes() one of 210, aligned() 640,
 * 64 and 128; frees() and shrinks() keep nothing.  With SECONDS it waits so long before and after.
 * With "-" it waits for a character of its standard input before.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static void *volatile keep[32];

NOINLINE void leaks(void);
NOINLINE void grows(void);
NOINLINE void frees(void);
NOINLINE void aligned(void);
NOINLINE void shrinks(void);
NOINLINE void zeroes(void);

void leaks(void)
{
	for (int i = 0; i < 10; i++)
		keep[i] = malloc(100);
}

void grows(void)
{
	keep[10] = malloc(10);
	keep[10] = realloc(keep[10], 5000);
	keep[11] = realloc(keep[31], 300); /* NULL: as malloc() */
}

void zeroes(void)
{
	keep[18] = calloc(3, 70);
}

void frees(void)
{
	for (int i = 0; i < 500; i++) {
		keep[12] = calloc(10, 10);
		free(keep[12]);
	}
}

void aligned(void)
{
	void *p;

	if (!posix_memalign(&p, 64, 640))
		keep[13] = p;
	keep[14] = memalign(64, 64);
	keep[15] = aligned_alloc(64, 128);
}

void shrinks(void)
{
	keep[16] = strdup("twelve chars");
	free(keep[16]);
	keep[17] = malloc(77);
	keep[17] = realloc(keep[17], 0);
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	char c;

	if (argc > 1 && !strcmp(argv[1], "-") && read(0, &c, 1) != 1)
		return 1;
	sleep(seconds);
	leaks();
	grows();
	zeroes();
	frees();
	aligned();
	shrinks();
	sleep(seconds);
	return 0;
}
