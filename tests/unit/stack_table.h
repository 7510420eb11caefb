/* SPDX-License-Identifier: Apache-2.0 */
/* stack_table: a table of kept stacks (abi/stacks.h) in memory, filled as programs fill it. */
#ifndef TESTS_UNIT_STACK_TABLE_H
#define TESTS_UNIT_STACK_TABLE_H

#include <stdint.h>
#include <string.h>

#include "abi/stacks.h"

#define STACK_TABLE_RING   4096 /* bytes */
#define STACK_TABLE_FRAMES 32	/* of the deepest stack */

/* Zeroed: it is empty. */
struct stack_table {
	_Alignas(64) char bytes[DT_STACK_TABLE(STACK_TABLE_RING, STACK_TABLE_FRAMES)];
};

/* The id of the stack with N frames at PC; WHO is without their number. */
static inline uint64_t stack_table_id(uint64_t who, const uint64_t *pc, uint32_t n)
{
	__u64 all[DT_STACK_FULL(STACK_TABLE_FRAMES)] = {0};
	struct dt_stack_hash h = dt_stack_begin(who | (__u64)n << DT_STACK_COUNT);

	if (n)
		memcpy(all, pc, sizeof(*pc) * n);
	for (uint32_t i = 0; i < n; i += DT_STACK_ROUND)
		dt_stack_add(&h, all + i);
	return dt_stack_id(h);
}

static inline struct dt_kept_stack *stack_table_entry(struct stack_table *t, uint64_t pos)
{
	return (struct dt_kept_stack *)(t->bytes + DT_STACK_RING_AT(STACK_TABLE_RING) +
		pos % STACK_TABLE_RING);
}

/* Keep a stack: the bucket that has it, the first free one, or the first, is its own. */
static inline uint64_t stack_table_keep(
	struct stack_table *t, uint64_t who, const uint64_t *pc, uint32_t n)
{
	struct dt_stacks *head = (struct dt_stacks *)t->bytes;
	uint64_t id = stack_table_id(who, pc, n), unit = head->head / DT_STACK_UNIT;
	uint64_t *group = (uint64_t *)(t->bytes + DT_STACK_BUCKETS_AT) +
		dt_stack_group(id, DT_STACK_GROUPS(STACK_TABLE_RING)) * DT_STACK_WAYS;
	struct dt_kept_stack *e;
	uint32_t way = 0;

	for (; way < DT_STACK_WAYS && group[way]; way++) {
		e = stack_table_entry(t, ((group[way] >> DT_STACK_TAG) - 1) * DT_STACK_UNIT);
		if (e->id != id)
			continue;
		if (!(who & DT_STACK_PART))
			e->who &= ~DT_STACK_PART;
		return id;
	}
	e = stack_table_entry(t, head->head);
	head->head += DT_STACK_ENTRY(n);
	memset(e, 0, DT_STACK_ENTRY(n));
	e->id = id;
	e->at = head->head - DT_STACK_ENTRY(n);
	e->who = who | (__u64)n << DT_STACK_COUNT;
	if (n)
		memcpy(e->pc, pc, sizeof(*pc) * n);
	group[way % DT_STACK_WAYS] =
		(unit + 1) << DT_STACK_TAG | (id & ((1ull << DT_STACK_TAG) - 1));
	return id;
}

#endif
