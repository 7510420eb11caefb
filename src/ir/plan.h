/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan: what is known of a session's programs before they are lowered.  Some of it is found out by
 * lowering them once, or by the kernel, and then they are lowered again; nearly all sessions do
 * without.
 */
#ifndef IR_PLAN_H
#define IR_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed one is the first. */
struct lowering_plan {
	bool cut;   /* programs are cut as far as that is possible (lower_piece.h) */
	bool many;  /* probes share programs, however few they are */
	bool whole; /* programs with tail calls would not do (lower_piece.h) */
	/*
	 * Associative arrays and aggregations may have so many maps: those of one shape share one.
	 * 0: each has its own.
	 */
	uint32_t variable_maps;
	/*
	 * By index of the unit: true if its keys, variables and spilled numbers are in the scratch
	 * slot.  NULL: none are.
	 */
	const bool *short_stack;
};

#endif
