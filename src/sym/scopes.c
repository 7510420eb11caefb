// SPDX-License-Identifier: Apache-2.0
/* Finds scopes by walking from level to level, with a limit of what one look-up may cost. */
#include "sym/scopes.h"

#include <dwarf.h>
#include <stdbool.h>

#include "base/interrupt.h"

#define VISITS_MOST (1u << 20) /* DIEs and ranges of one look-up */
#define NESTED_MOST 64	       /* namespaces and classes in each other */

struct search {
	uint64_t vaddr;
	Dwarf_Die *v; /* SCOPES_MOST */
	uint32_t n;
	uint32_t visits; /* that are left */
	unsigned requests;
};

static bool goes_on(struct search *s)
{
	if (!s->visits || interrupt_count() != s->requests)
		return false;
	s->visits--;
	return true;
}

/* The sibling after DIE, which lies behind it: whatever the bytes say, none comes twice. */
static bool next_sibling(struct search *s, Dwarf_Die *die)
{
	Dwarf_Die next;

	if (!goes_on(s) || dwarf_siblingof(die, &next) != 0 || next.addr <= die->addr)
		return false;
	*die = next;
	return true;
}

/* True if DIE has the address. */
static bool covers(struct search *s, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	for (unsigned n = 0; n < RANGES_MOST && goes_on(s); n++) {
		at = dwarf_ranges(die, at, &base, &start, &end);
		if (at <= 0)
			return false;
		if (start <= s->vaddr && s->vaddr < end)
			return true;
	}
	return false;
}

static bool has_code(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_entry_point:
		return true;
	default:
		return false;
	}
}

/* What has no code of its own and can have functions in it. */
static bool is_container(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

/* Goes from PARENT to the child with the address, through NESTED containers; false: there is none.
 */
static bool step(struct search *s, Dwarf_Die *parent, unsigned nested)
{
	uint32_t n = s->n;
	Dwarf_Die die;

	if (n == SCOPES_MOST || dwarf_child(parent, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);

		s->v[n] = die;
		s->n = n + 1;
		if (has_code(tag) ? covers(s, &die)
				  : is_container(tag) && nested && step(s, &die, nested - 1))
			return true;
	} while (next_sibling(s, &die));
	s->n = n;
	return false;
}

static struct search new_search(uint64_t vaddr, Dwarf_Die *v)
{
	return (struct search){.vaddr = vaddr,
		.v = v,
		.n = 1,
		.visits = VISITS_MOST,
		.requests = interrupt_count()};
}

uint32_t scopes_at(Dwarf_Die *unit, uint64_t vaddr, Dwarf_Die v[SCOPES_MOST])
{
	struct search s = new_search(vaddr, v);
	Dwarf_Die at = *unit;

	v[0] = *unit;
	while (step(&s, &at, NESTED_MOST))
		at = v[s.n - 1];
	return s.n > 1 ? s.n : 0;
}

/* The last child of PARENT that does not lie behind DIE. */
static bool child_towards(struct search *s, Dwarf_Die *parent, const Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Die at;

	if (dwarf_child(parent, &at) != 0 || at.addr > die->addr)
		return false;
	do
		*out = at;
	while (out->addr != die->addr && next_sibling(s, &at) && at.addr <= die->addr);
	return true;
}

uint32_t scopes_of(Dwarf_Die *die, Dwarf_Die v[SCOPES_MOST])
{
	struct search s = new_search(0, v);

	if (!dwarf_diecu(die, &v[0], NULL, NULL))
		return 0;
	while (v[s.n - 1].addr != die->addr) {
		if (s.n == SCOPES_MOST || !child_towards(&s, &v[s.n - 1], die, &v[s.n]))
			return 0;
		s.n++;
	}
	return s.n;
}
