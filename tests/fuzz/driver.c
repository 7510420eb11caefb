// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a fuzzer where there is no libFuzzer: fuzz_x [-r RUNS] [-s SEED] PATH...
 *
 * Runs every file at or below the PATHs, then RUNS mutations of them.  With clang,
 * -fsanitize=fuzzer takes this file's place.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	uint8_t *data;
	size_t size;
};

static struct input *inputs;
static unsigned ninputs;
static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void add_file(const char *path)
{
	FILE *f = fopen(path, "r");
	struct input in = {malloc(65536), 0};

	if (!f || !in.data) {
		perror(path);
		exit(1);
	}
	in.size = fread(in.data, 1, 65536, f);
	fclose(f);
	inputs = realloc(inputs, (ninputs + 1) * sizeof(*inputs));
	inputs[ninputs++] = in;
}

static void add(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);

	if (n < 0)
		add_file(path);
	for (int i = 0; i < n; i++) {
		char below[4096];

		snprintf(below, sizeof(below), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			add(below);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* A copy of exactly its size: a byte read too many is noticed. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static size_t mutate(uint8_t *b, size_t size, size_t room)
{
	const struct input *other = &inputs[draw() % ninputs];
	size_t at = size ? draw() % size : 0, from, n;

	switch (draw() % 6) {
	case 0: /* a bit */
		if (size)
			b[at] ^= (uint8_t)(1 << draw() % 8);
		return size;
	case 1: /* a byte */
		if (size)
			b[at] = (uint8_t)draw();
		return size;
	case 2: /* a piece out */
		n = size ? draw() % (size - at) + 1 : 0;
		memmove(b + at, b + at + n, size - at - n);
		return size - n;
	case 3: /* a piece again */
		n = size ? draw() % (size - at) + 1 : 0;
		n = n < room - size ? n : room - size;
		memmove(b + at + n, b + at, size - at);
		return size + n;
	default: /* a piece of another */
		from = other->size ? draw() % other->size : 0;
		n = other->size ? draw() % (other->size - from) + 1 : 0;
		n = n < 64 ? n : 64;
		n = n < room - size ? n : room - size;
		memmove(b + at + n, b + at, size - at);
		memcpy(b + at, other->data + from, n);
		return size + n;
	}
}

int main(int argc, char **argv)
{
	static uint8_t b[32768];
	unsigned long runs = 0;
	int o;

	state = 88172645463325252ull;
	while ((o = getopt(argc, argv, "r:s:")) != -1) {
		if (o == 'r')
			runs = strtoul(optarg, NULL, 0);
		else if (o == 's')
			state += strtoull(optarg, NULL, 0);
		else
			return 2;
	}
	for (; optind < argc; optind++)
		add(argv[optind]);
	for (unsigned i = 0; i < ninputs; i++)
		run(inputs[i].data, inputs[i].size);
	for (unsigned long r = 0; ninputs && r < runs; r++) {
		const struct input *in = &inputs[draw() % ninputs];
		size_t size = in->size < sizeof(b) / 2 ? in->size : sizeof(b) / 2;

		memcpy(b, in->data, size);
		for (unsigned n = draw() % 5 + 1; n; n--)
			size = mutate(b, size, sizeof(b));
		run(b, size);
	}
	for (unsigned i = 0; i < ninputs; i++)
		free(inputs[i].data);
	free(inputs);
	return 0;
}
