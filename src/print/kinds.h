/* SPDX-License-Identifier: Apache-2.0 */
/* kinds: answers about values and aggregations of the public interface, for the text and for
 * formats. */
#ifndef PRINT_KINDS_H
#define PRINT_KINDS_H

#include <stdbool.h>

#include "abi/aggregation.h"
#include "dtrace/data.h"

/* An integer or a pointer. */
static inline bool value_is_number(const struct dtrace_value *v)
{
	return v->kind == DTRACE_KIND_INT || v->kind == DTRACE_KIND_POINTER;
}

static inline bool value_is_stack(const struct dtrace_value *v)
{
	return v->kind == DTRACE_KIND_STACK || v->kind == DTRACE_KIND_USTACK;
}

static inline bool aggregation_is_distribution(const struct dtrace_aggregation *a)
{
	return agg_public(a->function)->kind == AGG_DISTRIBUTION;
}

/* Returns the parameters of A's buckets; without buckets they are 0. */
static inline struct agg_params aggregation_params(const struct dtrace_aggregation *a)
{
	return (struct agg_params){
		.base = a->base,
		.limit = a->limit,
		.step = (uint16_t)a->step,
		.factor = (uint16_t)a->factor,
		.lmag = (uint16_t)a->low,
		.hmag = (uint16_t)a->high,
		.steps = (uint16_t)a->steps,
	};
}

#endif
