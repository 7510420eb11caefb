/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * flags_table: defines the rows of flags.def as constant data of the unit that includes it:
 * flags.c and the run-time library.
 */
#ifndef ABI_FLAGS_TABLE_H
#define ABI_FLAGS_TABLE_H

#include "abi/flags.h"

enum {
#define NAMES(set, bits, rest, help) FIRST_##set, BEFORE_##set = FIRST_##set - 1,
#define ROW(id, mask, value, text)   ROW_##id,
#define END(set)		     END_##set, LAST_##set = END_##set - 1,
#include "abi/flags.def"
	FLAG_ROWS
};

/* All texts, one after the other. */
struct dt_flag_texts {
#define ROW(id, mask, value, text) char id[sizeof(text)];
#include "abi/flags.def"
	char unknown[sizeof(DT_UNKNOWN_ERROR)];
};

struct dt_flags {
	struct dt_flag_set set[FLAGS_MAX];
	struct dt_flag_row row[FLAG_ROWS];
	struct dt_flag_texts text;
};

#ifdef __bpf__
extern const struct dt_flags dt_flags;
__attribute__((section(DT_SEC_FLAGS)))
#else
static
#endif
const struct dt_flags dt_flags = {
	.set =
		{
#define NAMES(set, bits, rest, help) {FIRST_##set, END_##set, bits, FLAG_REST_##rest, 0},
#include "abi/flags.def"
		},
	.row =
		{
#define ROW(id, mask, value, text) {mask, value, __builtin_offsetof(struct dt_flag_texts, id), 0},
#include "abi/flags.def"
		},
	.text =
		{
#define ROW(id, mask, value, text) text,
#include "abi/flags.def"
			DT_UNKNOWN_ERROR,
		},
};

#endif
