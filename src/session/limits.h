/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits: what programs of this session may do, from the table limits.def.
 *
 * Parses and holds the values.  They apply where what they limit is known: providers in
 * probe/registry.h, the rest when programs are loaded (start.c, load/load.h).
 */
#ifndef SESSION_LIMITS_H
#define SESSION_LIMITS_H

#include <stdint.h>

#include "load/load.h"
#include "probe/registry.h"

struct dtrace;

enum limit_id {
#define LIMIT(name, ...) LIMIT_##name,
#include "session/limits.def"
	LIMIT_COUNT,
};

enum limit_kind { LIMIT_YES_NO, LIMIT_NUMBER, LIMIT_BYTES, LIMIT_PERCENT, LIMIT_PROVIDERS };

struct limit_value {
	const char *by; /* who has set it; NULL: nobody */
	uint64_t number;
};

struct limits {
	struct limit_value values[LIMIT_COUNT];
	struct registry_allowed providers;
};

/* Returns a limit that is a number. */
struct load_bound limits_bound(const struct limits *l, enum limit_id id);

/* Refuse the option destructive if there is a limit.  0, or -EPERM and an error in the report. */
int limits_check_destructive(struct dtrace *d);

#endif
