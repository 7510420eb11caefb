// SPDX-License-Identifier: Apache-2.0
/* The tables of the run-time library's functions and maps. */
#include <stddef.h>
#include <string.h>

#include "abi/flags.h"
#include "abi/function.h"
#include "abi/kernel.h"
#include "abi/runtime.h"
#include "abi/stacks.h"
#include "abi/syscalls.h"
#include "abi/managed.h"
#include "abi/unwind.h"
#include "abi/returns.h"
#include "abi/usdt.h"

static const char *const maps[] = {
#define RT_MAP(id, name) name,
#include "abi/runtime.def"
};

static const struct rt_function functions[] = {
#define RT(name, nargs, reads, stack) {#name, nargs, reads, stack},
#include "abi/runtime.def"
};

#define NFUNCTIONS (sizeof(functions) / sizeof(functions[0]))

const char *rt_map_name(unsigned i)
{
	return maps[i];
}

__u32 rt_map_bit(const char *name)
{
	for (unsigned i = 0; i < RT_MAP_MAX; i++)
		if (!strcmp(maps[i], name))
			return 1u << i;
	return 0;
}

const struct rt_function *rt_function(const char *name)
{
	for (unsigned i = 0; i < NFUNCTIONS; i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return NULL;
}

__u32 rt_function_looks(const struct rt_function *f)
{
	static const struct {
		const char *name;
		__u32 looks;
	} rows[] = {
#define RT_LOOKS(name, what) {#name, RT_LOOKS_##what},
#include "abi/runtime.def"
	};

	for (unsigned i = 0; f->reads & RT_OFFSETS && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, f->name))
			return rows[i].looks;
	return 0;
}

const struct rt_function *rt_function_at(unsigned i)
{
	return i < NFUNCTIONS ? &functions[i] : NULL;
}

enum rt_needs rt_function_needs(const struct rt_function *f)
{
	return strcmp(f->name, "dt_exec_name") ? RT_NEEDS_ALL : RT_NEEDS_ALONE;
}
