// SPDX-License-Identifier: Apache-2.0
/*
 * Feeds any bytes to dtrace -G as an object with probe calls, twice, and reads the notes that it
 * has then.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "input.h"
#include "sema/typed.h"
#include "types/types.h"
#include "usdt/link.h"
#include "usdt/notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Adds probe NAME with N arguments of types that are passed in different ways. */
static void add_probe(
	struct arena *a, struct types *t, struct provider_block *b, const char *name, uint32_t n)
{
	static const enum type_basic types[] = {T_INT, T_CHAR, T_DOUBLE, T_ULONG};
	struct provider_block_probe *p = vec_add(a, &b->probes);

	p->name = name;
	p->nargs = n;
	p->types = arena_new_array(a, const struct type *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		p->types[i] = types_basic(t, types[i % 4]);
}

static int on_note(void *arg, const struct sdt_note *n)
{
	return !*n->name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct types *t = types_new(a, 256, NULL, NULL);
	struct provider_block block = {.name = "shop"};
	const struct provider_block *blocks[] = {&block};
	struct report report = {.arena = a, .error = ""};
	char path[FUZZ_PATH_SIZE], output_path[FUZZ_PATH_SIZE];
	int fd = fuzz_file(data, size), output = fuzz_file("", 0);
	char *objects[] = {(char *)fuzz_path(fd, path)};
	const struct usdt_link_job job = {.known = blocks,
		.nknown = 1,
		.own = blocks,
		.nown = 1,
		.objects = objects,
		.nobjects = 1,
		.output = fuzz_path(output, output_path)};

	add_probe(a, t, &block, "order", 0);
	add_probe(a, t, &block, "paid", 9);
	for (unsigned i = 0; i < 2; i++)
		if (usdt_link(&job, &report) && !*report.error)
			abort(); /* refused without a word */
	notes_read(fd, on_note, NULL);
	close(fd);
	close(output);
	arena_free(a);
	return 0;
}
