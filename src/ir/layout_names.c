// SPDX-License-Identifier: Apache-2.0
/*
 * The names that enums of the running kernel have besides those of the headers with which dtrace
 * was built.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi/flags.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/layout.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "types/type.h"
#include "types/types.h"

struct names {
	struct arena *arena;
	enum flag_set set;
	VEC(struct flag_named) found;
};

/* A value is named once, by its first name; the ends of enums are none. */
static bool add_newer(void *arg, const char *name, int64_t value)
{
	struct names *n = arg;
	size_t len = strlen(name);

	if (!strncmp(name, "__", 2) || (len > 4 && !strcmp(name + len - 4, "_MAX")))
		return false;
	if (!flag_is_named(n->set, (uint64_t)value))
		vec_push(n->arena, &n->found, ((struct flag_named){n->set, (uint64_t)value, name}));
	return false;
}

const struct flag_newer *layout_newer_names(struct lower_session *s)
{
	struct names n = {.arena = s->arena};
	struct flag_newer *newer = arena_new_obj(s->arena, struct flag_newer);
	const struct type *t;

	for (unsigned set = 0; set < FLAGS_MAX; set++) {
		n.set = (enum flag_set)set;
		if (!flag_set_enum(n.set))
			continue;
		t = types_lookup(s->target->types, SPACE_ENUM, flag_set_enum(n.set));
		if (t)
			type_enumerators(t, add_newer, &n);
	}
	newer->names = n.found.data;
	newer->n = n.found.len;
	return newer;
}
