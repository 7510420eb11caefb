// SPDX-License-Identifier: Apache-2.0
/* Reads any text as a map of a JIT compiler's code, in two parts as a program that runs adds lines.
 */
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "sym/perfmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct perfmap *p, uint64_t addr)
{
	uint64_t start;
	const char *name = perfmap_find(p, addr, &start);

	if (name && (!*name || start > addr))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perfmap_room room = {0};
	struct perfmap *p = perfmap_new(getpid(), &room);
	int fd = fuzz_file(data, size / 2);

	perfmap_update_from(p, fd);
	check(p, 0x1000);
	if (write(fd, data + size / 2, size - size / 2) != (ssize_t)(size - size / 2))
		abort();
	perfmap_update_from(p, fd);
	for (unsigned bit = 0; bit < 64; bit++) {
		check(p, UINT64_C(1) << bit);
		check(p, (UINT64_C(1) << bit) - 1);
	}
	/* fewer bytes: another map in its place */
	if (ftruncate(fd, (off_t)(size / 4)))
		abort();
	perfmap_update_from(p, fd);
	check(p, 0x1000);
	perfmap_free(p);
	perfmap_room_free(&room);
	close(fd);
	return 0;
}
