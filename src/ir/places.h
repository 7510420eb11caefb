/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places: the numbers of the places that open programs are attached to, and the cookies that carry
 * them.  Tables by place say what a program has to know of each: argument locations, names, lines.
 */
#ifndef IR_PLACES_H
#define IR_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

/*
 * A cookie: the probe's id, its place among the unit's sites, or among those of all open units, and
 * the clauses enabled on it; in the place of the last one ATTACH_ENTRY if the plan has entries.
 */
#define COOKIE_PLACE   24
#define COOKIE_MASK    44
#define COOKIE_CLAUSES (64 - COOKIE_MASK)
#define COOKIE_ID      ((1 << COOKIE_PLACE) - 1)

struct places {
	uint32_t used, most; /* given out so far; how many there can be */
	VEC(uint32_t) back;  /* and given back */
};

/*
 * Takes a free place, which there must be, for the probe with number ID; returns its cookie for the
 * clauses CLAUSES of its program, a bit each.
 */
uint64_t places_take(struct places *p, uint32_t id, uint32_t clauses);

/* False if each place is taken. */
bool places_left(const struct places *p);

/* Give back the place of COOKIE, whose probe is detached.  The list lives in A. */
void places_give_back(struct places *p, struct arena *a, uint64_t cookie);

/* Return the place, the clauses (a bit each) and the probe's id of a cookie. */
uint32_t cookie_place(uint64_t cookie);
uint32_t places_clauses(uint64_t cookie);
uint32_t places_probe(uint64_t cookie);

#endif
