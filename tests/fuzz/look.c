// SPDX-License-Identifier: Apache-2.0
/* Walks types: names, members, enumerators, and how parameters are passed. */
#include "look.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types/dwarf.h"
#include "types/type.h"

static bool on_enumerator(void *arg, const char *name, int64_t value)
{
	return !*name && value == 0x123456789;
}

static void look(const struct type *type, unsigned *budget, unsigned depth)
{
	struct member_path path;
	const struct member *m;
	char name[256];
	uint32_t n;

	if (!*budget || depth > 6)
		return;
	--*budget;
	type_name(type, name, sizeof(name));
	type = type_resolve(type);
	type_align(type);
	type_enumerators(type, on_enumerator, NULL);
	type_find_member(type, "nothing", &path);
	dwarf_abi_by_address(type);
	if (type->ref)
		look(type->ref, budget, depth + 1);
	m = type_members(type, &n);
	for (uint32_t i = 0; i < n; i++)
		look(m[i].type, budget, depth + 1);
}

void look_at_type(const struct type *type, unsigned *budget)
{
	look(type, budget, 0);
}

void look_at_function(const struct type *func, unsigned *budget)
{
	const struct type *params[16];
	uint32_t n = type_params(func, params, NULL, 16);

	look(func, budget, 0);
	for (uint32_t i = 0; i < n && i < 16; i++) {
		look(params[i], budget, 0);
		dwarf_abi_slot(func, i);
	}
	if (n)
		type_same(params[0], params[n < 16 ? n - 1 : 15]);
}
