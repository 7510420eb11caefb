// SPDX-License-Identifier: Apache-2.0
/*
 * Reads any bytes as the kernel's types and those of a module on top of them: four bytes, the
 * length of the first, and both.  What they name is looked up and looked at.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "look.h"
#include "types/type.h"
#include "types/types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_NAMES 64
#define MOST_TYPES 2000

/* Two images, each in memory of exactly its size. */
struct images {
	void *kernel, *module;
	size_t kernel_len, module_len;
};

static int load_kernel(void *arg, const void **data, size_t *len)
{
	const struct images *im = arg;

	*data = im->kernel;
	*len = im->kernel_len;
	return 0;
}

static int load_module(void *arg, const char *name, const void **data, size_t *len)
{
	const struct images *im = arg;

	if (strcmp(name, "mod") != 0)
		return -ENOENT;
	*data = im->module;
	*len = im->module_len;
	return 0;
}

struct found {
	const char *names[MOST_NAMES];
	unsigned n;
};

static void collect(void *arg, const char *name)
{
	struct found *f = arg;

	if (f->n < MOST_NAMES)
		f->names[f->n++] = name;
}

/* Looks for NAME in each space of MODULE, and as its variable and function. */
static void look_for(struct types *t, const char *module, const char *name, unsigned *budget)
{
	const struct type *type;
	bool unknown, percpu;

	for (enum type_space s = SPACE_ORDINARY; s <= SPACE_ENUM; s++) {
		type = types_lookup_in(t, module, s, name, &unknown);
		if (type)
			look_at_type(type, budget);
	}
	type = types_variable_in(t, module, name, &percpu);
	if (type)
		look_at_type(type, budget);
	type = types_function_in(t, module, name);
	if (type)
		look_at_function(type, budget);
}

static void look_for_tracepoint(struct types *t, const char *name, unsigned *budget)
{
	const struct type *proto = NULL;

	if (types_tracepoint(t, name, &proto) && proto)
		look_at_function(proto, budget);
}

/* Names that the corpus has and no listing gives. */
static const char *const names[] = {"int", "unsigned int", "long", "loff_t", "opaque_ptr", "one_t",
	"runs", "count", "v", "avenrun", "task_struct", "missing"};

static void look_around(struct types *t)
{
	struct found tracepoints = {.n = 0}, all = {.n = 0};
	unsigned budget = MOST_TYPES;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		collect(&all, names[i]);
	types_each_function(t, "", collect, &all);
	for (enum type_space s = SPACE_STRUCT; s <= SPACE_ENUM; s++)
		types_each_tag(t, s, "", collect, &all);
	types_each_tracepoint(t, collect, &tracepoints);
	for (unsigned i = 0; i < all.n; i++) {
		look_for(t, "", all.names[i], &budget);
		look_for(t, "mod", all.names[i], &budget);
		look_for(t, "vmlinux", all.names[i], &budget);
	}
	for (unsigned i = 0; i < tracepoints.n; i++)
		look_for_tracepoint(t, tracepoints.names[i], &budget);
}

static void *copy(const uint8_t *data, size_t size)
{
	void *p = malloc(size ? size : 1);

	memcpy(p, data, size);
	return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a;
	struct types *t;
	struct images im;
	uint32_t len;

	if (size < sizeof(len))
		return 0;
	memcpy(&len, data, sizeof(len));
	data += sizeof(len);
	size -= sizeof(len);
	im.kernel_len = len < size ? len : size;
	im.module_len = size - im.kernel_len;
	im.kernel = copy(data, im.kernel_len);
	im.module = copy(data + im.kernel_len, im.module_len);
	a = arena_new();
	t = types_new(a, 256, load_kernel, &im);
	types_set_module_loader(t, load_module, &im);
	look_around(t);
	arena_free(a);
	free(im.kernel);
	free(im.module);
	return 0;
}
