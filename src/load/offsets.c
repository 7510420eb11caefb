// SPDX-License-Identifier: Apache-2.0
/* Finds the offsets of the kernel's members that the run-time library reads. */
#include <errno.h>
#include <string.h>

#include "abi/runtime.h"
#include "load/internal.h"
#include "rt/conf.h"
#include "types/type.h"
#include "types/types.h"

static const struct {
	const char *type, *member; /* a path: "d_name.name" */
	uint32_t needed;	   /* enum rt_looks: who cannot do without it */
} wanted[] = {
#define FOR(what)		       RT_LOOKS_##what
#define X(field, type, member, needed) {#type, member, needed},
	DT_OFFSETS(X)
#undef X
#undef FOR
};

#define NWANTED (sizeof(wanted) / sizeof(wanted[0]))

_Static_assert(sizeof(struct dt_offsets) == NWANTED * sizeof(__u32), "one word each");

static uint32_t offset_of(const struct type *type, const char *path)
{
	uint32_t bits = 0;

	while (*path) {
		size_t len = strcspn(path, ".");
		struct member_path found;
		char name[32];

		if (!type || len >= sizeof(name))
			return DT_OFFSET_UNKNOWN;
		memcpy(name, path, len);
		name[len] = '\0';
		if (!type_find_member(type_resolve(type), name, &found) || found.bit_size)
			return DT_OFFSET_UNKNOWN;
		bits += found.bit_offset;
		type = found.type;
		path += len + (path[len] == '.');
	}
	return bits / 8;
}

int load_offsets(struct load *l, struct types *types, struct dt_offsets *out)
{
	__u32 values[NWANTED];

	for (size_t i = 0; i < NWANTED; i++) {
		values[i] = types ? offset_of(types_lookup(types, SPACE_STRUCT, wanted[i].type),
					    wanted[i].member)
				  : DT_OFFSET_UNKNOWN;
		if (values[i] == DT_OFFSET_UNKNOWN && l->image.rt_looks & wanted[i].needed)
			return load_fail(l, -EOPNOTSUPP,
				"struct %s of this kernel is not known (no type information) or has no member %s",
				wanted[i].type, wanted[i].member);
	}
	memcpy(out, values, sizeof(values));
	return 0;
}
