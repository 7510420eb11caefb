// SPDX-License-Identifier: Apache-2.0
/* Numbers the places of open programs. */
#include "ir/places.h"

uint64_t places_take(struct places *p, uint32_t id, uint32_t clauses)
{
	uint64_t place = p->back.len ? p->back.data[--p->back.len] : p->used++;

	return id | place << COOKIE_PLACE | (uint64_t)clauses << COOKIE_MASK;
}

bool places_left(const struct places *p)
{
	return p->back.len || p->used < p->most;
}

void places_give_back(struct places *p, struct arena *a, uint64_t cookie)
{
	vec_push(a, &p->back, cookie_place(cookie));
}

uint32_t cookie_place(uint64_t cookie)
{
	return cookie >> COOKIE_PLACE & ((1 << (COOKIE_MASK - COOKIE_PLACE)) - 1);
}

uint32_t places_probe(uint64_t cookie)
{
	return cookie & COOKIE_ID;
}

uint32_t places_clauses(uint64_t cookie)
{
	return (uint32_t)(cookie >> COOKIE_MASK);
}
