/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks N: a "server" that allocates.  Each of N requests takes a small block; every tenth fills a
 * cache, with one of 300,000 bytes; an index of 1 MiB is loaded at the start.  Without frame
 * pointers, with debug information.
 *
 * @cc -O2 -g -fomit-frame-pointer
 */
#include <stdlib.h>
#include <string.h>

struct request {
	int id;
	const char *path;
	size_t size;
};

static void *kept[64];
static unsigned nkept;

__attribute__((noinline)) static void *buffer_new(size_t size)
{
	void *p = malloc(size);

	/* what follows a call keeps it from becoming a jump */
	if (p)
		memset(p, 1, size < 64 ? size : 64);
	return p;
}

__attribute__((noinline)) void load_index(void)
{
	kept[nkept++ % 64] = buffer_new(1 << 20);
}

__attribute__((noinline)) void cache_fill(const struct request *r)
{
	free(kept[1 + r->id % 63]);
	kept[1 + r->id % 63] = buffer_new(r->size);
}

__attribute__((noinline)) int handle_request(struct request *r)
{
	char *line = buffer_new(strlen(r->path) + 100);

	if (r->id % 10 == 0)
		cache_fill(r);
	free(line);
	return r->id % 10 ? 200 : 201;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	int created = 0;

	load_index();
	for (int i = 1; i <= n; i++) {
		struct request r = {.id = i, .path = i % 3 ? "/shoes" : "/hats", .size = 300000};

		created += handle_request(&r) == 201;
	}
	return created != n / 10;
}
