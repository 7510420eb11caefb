// SPDX-License-Identifier: Apache-2.0
/* Holds the table of the aggregating functions. */
#include "abi/aggregation.h"

#include <stddef.h>

const struct agg_info agg_infos[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, increment, words, unkeyed, empty, result, \
	picture, public, classic)                                                               \
	[AGG_##name] = {AGG_##name, #name, AGG_##kind, increment, words, unkeyed, empty,        \
		AGG_##result, AGG_##picture, public, classic},
#include "abi/aggregations.def"
};

const struct agg_info *agg_public(uint32_t id)
{
	static const struct agg_info *const rows[] = {
#define AGGREGATION(name, params, traits, help, kind, increment, words, unkeyed, empty, result, \
	picture, public, classic)                                                               \
	[public] = &agg_infos[AGG_##name],
#include "abi/aggregations.def"
	};

	return id < sizeof(rows) / sizeof(rows[0]) ? rows[id] : NULL;
}
