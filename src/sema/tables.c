// SPDX-License-Identifier: Apache-2.0
/* Holds the tables of built-in variables and of functions. */

#include <string.h>

#include "abi/aggregation.h"
#include "probe/stability.h"
#include "sema/names.h"

#define STABLE                                         \
	{                                              \
		STAB_STABLE, STAB_STABLE, CLASS_COMMON \
	}
#define OURS                                               \
	{                                                  \
		STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON \
	}
#define CURTHREAD                                       \
	{                                               \
		STAB_STABLE, STAB_PRIVATE, CLASS_COMMON \
	}

#define NOTEXT                      \
	{                           \
		.source = TEXT_NONE \
	}
#define PROBE(p)                                              \
	{                                                     \
		.source = TEXT_PROBE, .part = DATUM_PROBE##p, \
	}
#define COMM                        \
	{                           \
		.source = TEXT_COMM \
	}
#define THREAD                        \
	{                             \
		.source = TEXT_THREAD \
	}
#define RUNTIME(f)                                     \
	{                                              \
		.source = TEXT_RUNTIME, .function = #f \
	}
#define SINCE(major, minor, micro) DVERSION(major, minor, micro)

static const struct builtin builtins[] = {
#define BUILTIN(name, type, attrs, since, text, help) \
	{#name, BUILTIN_##name, type, attrs, since, text, help},
#include "sema/builtins.def"
};

#define TRAIT_DESTRUCTIVE (1ULL << 32)
#define TRAIT_EVOLVING	  (1ULL << 33)
#define TRAIT_EXTENSION	  (1ULL << 34)
#define TRAIT_NULLABLE	  (1ULL << 35)
#define DESTRUCTIVE	  TRAIT_DESTRUCTIVE
#define EVOLVING	  TRAIT_EVOLVING
#define EXTENSION	  TRAIT_EXTENSION
#define NULLABLE	  TRAIT_NULLABLE

static const struct function functions[] = {
#define FUNCTION(name, klass, result, params, traits, help)                        \
	{#name, FUNC_##name, CLASS_##klass, result, params, help,                  \
		((traits)&TRAIT_DESTRUCTIVE) != 0, ((traits)&TRAIT_EVOLVING) != 0, \
		((traits)&TRAIT_EXTENSION) != 0, ((traits)&TRAIT_NULLABLE) != 0,   \
		(uint32_t)(traits)},
#include "sema/functions.def"
};

const struct builtin *builtin_at(unsigned i)
{
	return i < BUILTIN_MAX ? &builtins[i] : NULL;
}

const struct builtin *builtin_find(const char *name)
{
	for (unsigned i = 0; i < BUILTIN_MAX; i++)
		if (!strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}

const struct function *function_at(unsigned i)
{
	return i < FUNC_MAX ? &functions[i] : NULL;
}

const struct function *function_find(const char *name)
{
	for (unsigned i = 0; i < FUNC_MAX; i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return NULL;
}

enum agg_func function_agg(const struct function *f)
{
	switch (f->id) {
#define AGGREGATION(name, ...) \
	case FUNC_##name:      \
		return AGG_##name;
#include "abi/aggregations.def"
	default:
		return AGG_FUNCS;
	}
}
