// SPDX-License-Identifier: Apache-2.0
/* Reads any bytes as rows of activations, which come over a network, and as a file of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/activation.h"
#include "base/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks what the agent relies on, of what is not refused. */
static void check(const struct activations *list)
{
	if (list->list.len > ACTIVATIONS_MOST)
		abort();
	vec_for (a, &list->list) {
		uint64_t end, first = 1795687200;

		if (!a->id || !a->instrument || !a->host || a->nparams > ACTIVATION_PARAMS)
			abort();
		for (unsigned i = 0; i < a->nparams; i++)
			if (strlen(a->names[i]) > ACTIVATION_TEXT ||
				strlen(a->values[i]) > ACTIVATION_TEXT)
				abort();
		activation_is_for(a, "host");
		if (!a->problem && !activation_end(a, first, &end) &&
			end > first + ACTIVATION_SECONDS)
			abort();
		activation_hash(a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct activations rows = {.arena = arena_new()}, lines = {.arena = rows.arena};
	char *copy = malloc(size + !size); /* of its size, so that a read after it is seen */

	if (!rows.arena || !copy)
		abort();
	memcpy(copy, data, size);
	activations_read_rows(&rows, copy, size);
	check(&rows);
	activations_read_file(&lines, "file", copy, size);
	check(&lines);
	free(copy);
	arena_free(rows.arena);
	return 0;
}
