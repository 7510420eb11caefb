// SPDX-License-Identifier: Apache-2.0
/*
 * Consumes any bytes as the contents of the kernel's ring buffer: two bytes, where the consumer is,
 * and the data from there on.
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "consume/ring.h"
#include "consume/ring_private.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIZE ((size_t)4096)

/* The memory of a ring, of which the data are mapped twice in a row, as the kernel does. */
static struct {
	unsigned long consumer, producer;
	char *data;
} mem;

static void map_memory(void)
{
	static const char zeros[SIZE];
	int fd = fuzz_file(zeros, SIZE);

	mem.data = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mem.data == MAP_FAILED ||
		mmap(mem.data + SIZE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			0) != mem.data + SIZE)
		abort();
	close(fd);
}

/* A record is whole and within the memory; a part of the records stops the consumer. */
static int visit(void *arg, const struct dt_rec *rec, size_t size)
{
	const unsigned char *at = (const void *)rec;
	unsigned sum = 0;

	if (size < sizeof(*rec) || (const char *)at < mem.data ||
		(const char *)at + size > mem.data + 2 * SIZE || (uintptr_t)at % 8)
		abort();
	for (size_t i = 0; i < size; i++)
		sum += at[i];
	++*(unsigned *)arg;
	return sum % 16 == 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ring r = {.fd = -1,
		.page = SIZE,
		.size = SIZE,
		.consumer = &mem.consumer,
		.producer = &mem.producer,
		.len = 2 * SIZE};
	unsigned long start;
	unsigned n = 0;

	if (size < 2)
		return 0;
	if (!mem.data)
		map_memory();
	r.data = mem.data;
	start = (data[0] | (unsigned long)data[1] << 8) * 8;
	data += 2;
	size = size - 2 < SIZE ? size - 2 : SIZE;
	memset(mem.data, 0, SIZE);
	memcpy(mem.data + start % SIZE, data, size); /* beyond the end it is the beginning */
	mem.consumer = start;
	mem.producer = start + (size & ~7ul);
	while (ring_consume(&r, visit, &n, 0) > 0)
		;
	ring_filling(&r);
	if (ring_position(&r) < start || n > SIZE / sizeof(struct ring_header))
		abort();
	return 0;
}
