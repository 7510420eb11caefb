// SPDX-License-Identifier: Apache-2.0
#include "sema/sema.h"

#include <string.h>

#define STABLE                                         \
	{                                              \
		STAB_STABLE, STAB_STABLE, CLASS_COMMON \
	}
#define CURTHREAD                                       \
	{                                               \
		STAB_STABLE, STAB_PRIVATE, CLASS_COMMON \
	}

static const struct builtin builtins[] = {
#define BUILTIN(name, type, attrs, help) {#name, BUILTIN_##name, type, attrs, help},
#include "sema/builtins.def"
};

static const struct function functions[] = {
#define FUNCTION(name, klass, result, params, help) \
	{#name, FUNC_##name, CLASS_##klass, result, params, help},
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

const struct function *function_find(const char *name)
{
	for (unsigned i = 0; i < FUNC_MAX; i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return NULL;
}
