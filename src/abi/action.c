// SPDX-License-Identifier: Apache-2.0
/* Looks up actions by their names and public numbers. */
#include "abi/action.h"

#include <stddef.h>
#include <string.h>

const struct action_info action_infos[REC_KINDS] = {
#define RECORDED(kind, public, values, table, shape, fails) \
	[REC_##kind] = {DTRACE_ACTION_##public, values, ACTION_##table, SHAPE_##shape, fails},
#include "abi/actions.def"
};

static const struct named {
	const char *name;
	enum rec_action_kind kind;
	uint16_t classic;
} names[] = {
#define ACTION(function, kind, classic) {#function, REC_##kind, classic},
#include "abi/actions.def"
};

static const struct named *find_named(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return &names[i];
	return NULL;
}

const struct action_info *action_public(enum dtrace_action action)
{
	for (unsigned i = 0; i < REC_KINDS; i++)
		if (action_infos[i].public == action)
			return &action_infos[i];
	return &action_infos[REC_NONE];
}

enum rec_action_kind action_named(const char *name)
{
	const struct named *n = find_named(name);

	return n ? n->kind : REC_NONE;
}

uint16_t action_classic(const char *name)
{
	const struct named *n = find_named(name);

	return n ? n->classic : 0;
}
