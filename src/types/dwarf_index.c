// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the DIEs of names and addresses.
 *
 * A unit is scanned at most once: its top level, namespaces and classes, without the bodies of
 * functions.  Looking up an address scans the one unit that has it.  Looking up a name scans unit
 * after unit until the name is found.  Of a unit the index keeps only the names, which stay in the
 * bytes of the section, and the begin and end of its namespaces and classes.
 */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "elf/dwarf.h"
#include "types/dwarf_int.h"
#include "types/types.h"

#define MAX_NESTED 64	/* namespaces and classes, and units on behalf of others */
#define MAX_ORIGIN 8	/* DIEs that say on whose behalf they stand */
#define MAX_RANGES 4096 /* of one function or unit */
#define MAX_PREFIX 8192 /* bytes of the names of the scopes that a name is in */

/* A namespace or class: its children lie between BEGIN and END. */
struct dwarf_scope {
	const void *begin, *end;
	const char *prefix; /* "ns::list::" */
	uint32_t parent;    /* + 1; 0: none */
};

struct dwarf_unit {
	Dwarf_Die die;
	bool flat;	   /* C: nothing has a scope */
	unsigned requests; /* interrupt_count() when the scan began: more end it */
	VEC(struct dwarf_scope) scopes;
	VEC(Dwarf_Die) later; /* what stands on behalf of others: their scopes must be known */
};

/* ---- walking ---- */

bool dwarf_first(Dwarf_Die *parent, Dwarf_Die *child)
{
	return dwarf_child(parent, child) == 0;
}

bool dwarf_next(Dwarf_Die *child)
{
	Dwarf_Die next;

	if (dwarf_siblingof(child, &next) != 0 || next.addr <= child->addr)
		return false;
	*child = next;
	return true;
}

/* ---- what a DIE says ---- */

struct facts {
	const char *name, *linkage;
	bool declaration, external, has_pc, has_ranges;
	uint64_t pc;
	bool has_origin;
	Dwarf_Die origin; /* the first */
};

static int on_attr(Dwarf_Attribute *a, void *arg)
{
	struct facts *fa = arg;
	Dwarf_Addr pc;

	switch (dwarf_whatattr(a)) {
	case DW_AT_name:
		fa->name = fa->name ? fa->name : elf_dwarf_string(a);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		fa->linkage = fa->linkage ? fa->linkage : elf_dwarf_string(a);
		break;
	case DW_AT_declaration:
		dwarf_formflag(a, &fa->declaration);
		break;
	case DW_AT_external:
		dwarf_formflag(a, &fa->external);
		break;
	case DW_AT_low_pc:
		if (!dwarf_formaddr(a, &pc)) {
			fa->has_pc = true;
			fa->pc = pc;
		}
		break;
	case DW_AT_ranges:
		fa->has_ranges = true;
		break;
	case DW_AT_specification:
	case DW_AT_abstract_origin:
		fa->has_origin = dwarf_formref_die(a, &fa->origin);
		break;
	}
	return DWARF_CB_OK;
}

/*
 * DIE's own attributes, and of those on whose behalf it stands what it lacks (DWARF 5, 2.13.2 and
 * 3.3.8.2); FA->origin is the last of them, whose place is the place of its name.
 */
static void gather(Dwarf_Die *die, struct facts *fa)
{
	Dwarf_Die last = *die, at;
	bool declaration, had = false;

	memset(fa, 0, sizeof(*fa));
	dwarf_getattrs(die, on_attr, fa, 0);
	declaration = fa->declaration;
	for (unsigned n = 0; fa->has_origin && n < MAX_ORIGIN; n++) {
		had = true;
		at = last = fa->origin;
		fa->has_origin = false;
		dwarf_getattrs(&at, on_attr, fa, 0);
	}
	fa->declaration = declaration;
	fa->has_origin = had;
	fa->origin = last;
}

const char *dwarf_linkage_name(Dwarf_Die *die)
{
	struct facts fa;

	gather(die, &fa);
	return fa.linkage;
}

/* ---- filling the index ---- */

static void add_name(struct dwarf_file *f, enum dwarf_class klass, const char *name, Dwarf_Die *die,
	enum dwarf_rank rank)
{
	struct dwarf_entry *e;

	if (!name || !*name)
		return;
	e = strmap_get(&f->names[klass], name);
	if (!e) {
		e = arena_new_obj(f->arena, struct dwarf_entry);
		strmap_put(f->arena, &f->names[klass], name, e);
	}
	if (rank > e->rank) {
		e->addr = die->addr;
		e->cu = die->cu;
		e->rank = rank;
	}
}

/* As arena_printf() would, which takes longer than all else. */
static const char *join(struct dwarf_file *f, const char *a, const char *b)
{
	size_t alen = strlen(a), blen = strlen(b);
	char *s = arena_alloc(f->arena, alen + blen + 1);

	memcpy(s, a, alen);
	memcpy(s + alen, b, blen + 1);
	return s;
}

/* True if LEN bytes more may be kept of names. */
static bool has_room(struct dwarf_file *f, uint64_t len)
{
	if (len > f->names_left) {
		dwarf_miss(f, "%s has more names than are read", f->path);
		return false;
	}
	f->names_left -= len;
	return true;
}

/* Adds NAME in scope PREFIX: in full, and NAME alone. */
static void add_scoped(struct dwarf_file *f, enum dwarf_class klass, const char *prefix,
	const char *name, Dwarf_Die *die, enum dwarf_rank rank)
{
	if (prefix && *prefix && name && has_room(f, strlen(prefix) + strlen(name))) {
		add_name(f, klass, join(f, prefix, name), die, rank);
		rank = RANK_UNSCOPED;
	}
	add_name(f, klass, name, die, rank);
}

static void add_address(struct dwarf_file *f, struct intmap *map, uint64_t addr, Dwarf_Die *die)
{
	struct dwarf_entry *e, *first;

	if (!addr) /* of a function that the linker dropped */
		return;
	e = arena_new_obj(f->arena, struct dwarf_entry);
	first = intmap_get_ptr(map, addr);
	e->addr = die->addr;
	e->cu = die->cu;
	if (first) {
		e->next = first->next;
		first->next = e;
	} else {
		(void)intmap_put_ptr(map, addr, e);
	}
}

/* The pieces of a function that was split; it is entered where one of them begins. */
static void add_ranges(struct dwarf_file *f, Dwarf_Die *die)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t off = 0;

	for (unsigned n = 0; n < MAX_RANGES && f->ranges_left; n++) {
		off = dwarf_ranges(die, off, &base, &begin, &end);
		if (off <= 0)
			return;
		f->ranges_left--;
		add_address(f, &f->by_pc, begin, die);
	}
}

static const char *prefix_of(struct dwarf_file *f, Dwarf_Die *die);

/* Adds a function; PREFIX is NULL if it is the one of what DIE stands for. */
static void add_function(struct dwarf_file *f, Dwarf_Die *die, const char *prefix)
{
	enum dwarf_rank rank;
	struct facts fa;

	gather(die, &fa);
	if (fa.has_pc || fa.has_ranges)
		rank = fa.external ? RANK_BEST : RANK_STATIC;
	else
		rank = fa.external ? RANK_DECLARED : RANK_INLINED;
	if (!prefix)
		prefix = prefix_of(f, &fa.origin);
	add_name(f, DWARF_FUNCS, fa.linkage, die, rank);
	add_scoped(f, DWARF_FUNCS, prefix, fa.name, die, rank);
	if (fa.has_pc)
		add_address(f, &f->by_pc, fa.pc, die);
	else if (fa.has_ranges)
		add_ranges(f, die);
}

/* Reads a DW_AT_location that is just an address (DWARF 5, 2.5.1.1). */
static bool data_address(Dwarf_Die *die, uint64_t *addr)
{
	Dwarf_Attribute a, indexed;
	Dwarf_Block b;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &a) || dwarf_formblock(&a, &b) || b.length < 2)
		return false;
	if (b.data[0] == DW_OP_addr && b.length == 1 + sizeof(*addr)) {
		memcpy(addr, b.data + 1, sizeof(*addr));
		return true;
	}
	/* an index of .debug_addr */
	return (b.data[0] == DW_OP_addrx || b.data[0] == DW_OP_GNU_addr_index) &&
		!dwarf_getlocation(&a, &ops, &n) && n == 1 &&
		!dwarf_getlocation_attr(&a, ops, &indexed) && !dwarf_formaddr(&indexed, addr);
}

static void add_variable(struct dwarf_file *f, Dwarf_Die *die, const char *prefix)
{
	struct facts fa;
	uint64_t addr;

	gather(die, &fa);
	if (!fa.declaration && !fa.external && data_address(die, &addr))
		add_address(f, &f->by_data, addr, die);
	if (!prefix)
		prefix = prefix_of(f, &fa.origin);
	add_name(f, DWARF_VARS, fa.linkage, die, RANK_BEST);
	add_scoped(f, DWARF_VARS, prefix, fa.name, die,
		fa.declaration	      ? RANK_DECLARED
			: fa.external ? RANK_BEST
				      : RANK_STATIC);
}

/* DIE's children are in scope NAME of OUTER; returns its number + 1. */
static uint32_t begin_scope(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die,
	const char *outer, const char *name, uint32_t parent)
{
	struct dwarf_scope *s = vec_add(f->arena, &u->scopes);

	s->begin = die->addr;
	s->end = (const void *)UINTPTR_MAX;
	s->parent = parent;
	s->prefix = outer;
	if (name && *name && strlen(outer) + strnlen(name, MAX_PREFIX) < MAX_PREFIX &&
		has_room(f, strlen(outer) + strlen(name)))
		s->prefix = arena_printf(f->arena, "%s%s::", outer, name);
	return u->scopes.len;
}

static void scan_children(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *parent,
	uint32_t scope, unsigned depth);

static const char *scope_prefix(const struct dwarf_unit *u, uint32_t scope)
{
	return scope ? u->scopes.data[scope - 1].prefix : "";
}

static void scan_scope(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die,
	const char *outer, const char *name, uint32_t scope, unsigned depth)
{
	Dwarf_Die next = *die;
	uint32_t inner;

	if (u->flat || depth >= MAX_NESTED || !dwarf_haschildren(die))
		return;
	inner = begin_scope(f, u, die, outer, name, scope);
	if (dwarf_next(&next))
		u->scopes.data[inner - 1].end = next.addr;
	else if (scope)
		u->scopes.data[inner - 1].end = u->scopes.data[scope - 1].end;
	scan_children(f, u, die, inner, depth + 1);
}

/* Adds a type with a name; one that completes a declaration belongs to the declaration's scope. */
static void scan_type(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die,
	enum type_space space, uint32_t scope, unsigned depth)
{
	const char *prefix;
	struct facts fa;

	gather(die, &fa);
	prefix = fa.has_origin ? prefix_of(f, &fa.origin) : scope_prefix(u, scope);
	if (!fa.declaration)
		add_scoped(f, DWARF_TYPES + space, prefix, fa.name, die, RANK_BEST);
	if (space == SPACE_STRUCT || space == SPACE_UNION)
		scan_scope(f, u, die, prefix, fa.name, scope, depth);
}

/* "long unsigned int" is known as "unsigned long", as everywhere in the table. */
static void add_base(struct dwarf_file *f, Dwarf_Die *die)
{
	const char *name = elf_dwarf_name(die);
	char canon[32];

	if (name && type_canonical_int(name, canon, sizeof(canon)) && strcmp(canon, name))
		name = join(f, canon, "");
	add_name(f, DWARF_TYPES + SPACE_ORDINARY, name, die, RANK_BEST);
}

static void add_thing(struct dwarf_file *f, Dwarf_Die *die, const char *prefix)
{
	if (dwarf_tag(die) == DW_TAG_variable)
		add_variable(f, die, prefix);
	else
		add_function(f, die, prefix);
}

static void add_or_wait(
	struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die, const char *prefix)
{
	if (dwarf_hasattr(die, DW_AT_specification) || dwarf_hasattr(die, DW_AT_abstract_origin))
		vec_push(f->arena, &u->later, *die);
	else
		add_thing(f, die, prefix);
}

static void scan_die(
	struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die, uint32_t scope, unsigned depth)
{
	const char *prefix = scope_prefix(u, scope);
	bool in_class = depth && dwarf_tag(die) == DW_TAG_subprogram;

	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		scan_scope(f, u, die, prefix, elf_dwarf_name(die), scope, depth);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		scan_type(f, u, die, SPACE_STRUCT, scope, depth);
		break;
	case DW_TAG_union_type:
		scan_type(f, u, die, SPACE_UNION, scope, depth);
		break;
	case DW_TAG_enumeration_type:
		scan_type(f, u, die, SPACE_ENUM, scope, depth);
		break;
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
		scan_type(f, u, die, SPACE_ORDINARY, scope, depth);
		break;
	case DW_TAG_base_type:
		add_base(f, die);
		break;
	case DW_TAG_subprogram:
		/* a declaration in a class or namespace costs more than it is ever asked for */
		if (!in_class || dwarf_hasattr(die, DW_AT_low_pc) ||
			dwarf_hasattr(die, DW_AT_ranges))
			add_or_wait(f, u, die, prefix);
		break;
	case DW_TAG_variable:
		add_or_wait(f, u, die, prefix);
		break;
	}
}

static void scan_children(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *parent,
	uint32_t scope, unsigned depth)
{
	Dwarf_Die die;

	if (!dwarf_first(parent, &die))
		return;
	do
		scan_die(f, u, &die, scope, depth);
	while (interrupt_count() == u->requests && dwarf_next(&die));
}

/* ---- units ---- */

/* DW_LANG_C17 of DWARF 6, which <dwarf.h> of elfutils 0.188 lacks. */
#define LANG_C17 0x2c

static bool is_flat(int language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANG_C17:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* Returns the unit that DIE is of, scanned. */
static struct dwarf_unit *unit_of(struct dwarf_file *f, Dwarf_Die *die)
{
	static struct dwarf_unit none;
	struct dwarf_unit *u = intmap_get_ptr(&f->units, dwarf_key(die->cu));

	if (u)
		return u;
	if (f->nested >= MAX_NESTED)
		return &none;
	u = arena_new_obj(f->arena, struct dwarf_unit);
	(void)intmap_put_ptr(&f->units, dwarf_key(die->cu), u);
	if (!dwarf_diecu(die, &u->die, NULL, NULL))
		return u;
	u->flat = is_flat(dwarf_srclang(&u->die));
	u->requests = interrupt_count();
	f->nested++; /* what stands for others asks about their units */
	scan_children(f, u, &u->die, 0, 0);
	for (uint32_t i = 0; i < u->later.len && interrupt_count() == u->requests; i++)
		add_thing(f, &u->later.data[i], NULL);
	f->nested--;
	u->later.len = 0;
	if (interrupt_count() != u->requests) /* who asks again gets the whole of it */
		(void)intmap_remove(&f->units, dwarf_key(die->cu));
	return u;
}

/* A unit whose DIEs are in a file of their own, which cannot be read: ERR of elf_dwarf_split(). */
static void miss_split(struct dwarf_file *f, Dwarf_Die *skeleton, int err)
{
	const char *name = elf_dwarf_split_name(&f->dwarf, skeleton);

	dwarf_miss(f, "debug information of %s is in %s, which is %s", f->path,
		name ? name : "a .dwo file",
		err == -EINVAL		? "not a regular file"
			: err == -EFBIG ? "too large"
					: "not there");
}

/* Finds the DIE above those of a unit: a skeleton's are elsewhere.  False: they are missing. */
static bool unit_body(struct dwarf_file *f, uint8_t type, Dwarf_Die *die)
{
	Dwarf_Die split;
	int err;

	if (type != DW_UT_skeleton)
		return true;
	err = elf_dwarf_split(&f->dwarf, die, &split);
	if (err) {
		miss_split(f, die, err);
		return false;
	}
	*die = split;
	return true;
}

/* Scan the next unit; false: there is none. */
static bool scan_next(struct dwarf_file *f)
{
	Dwarf_CU *next;
	Dwarf_Die die;
	uint8_t type;
	int err = -1;

	if (f->scanning)
		err = dwarf_get_units(f->scanning, f->last, &next, NULL, &type, &die, NULL);
	if (err) {
		f->scanning = f->scanning == f->dbg ? f->dwarf.alt.dbg : NULL;
		f->last = NULL;
		return f->scanning;
	}
	f->last = next;
	if (die.addr && unit_body(f, type, &die))
		unit_of(f, &die);
	return true;
}

const struct dwarf_entry *dwarf_find(
	struct dwarf_file *f, enum dwarf_class klass, const char *name, enum dwarf_rank rank)
{
	const unsigned requests = interrupt_count();
	const struct dwarf_entry *e;

	if (!f->dbg)
		return NULL;
	for (;;) {
		e = strmap_get(&f->names[klass], name);
		if (e && e->rank == RANK_BEST)
			return e;
		if (f->scanned_all || interrupt_count() != requests)
			break;
		f->scanned_all = !scan_next(f);
	}
	return e && e->rank >= rank ? e : NULL;
}

/* ---- addresses ---- */

/* Reads the code ranges of all units; .debug_aranges may lack some. */
static void read_ranges(struct dwarf_file *f)
{
	const unsigned requests = interrupt_count();
	Dwarf_CU *cu = NULL, *next;
	Dwarf_Die die;

	for (; interrupt_count() == requests &&
		!dwarf_get_units(f->dbg, cu, &next, NULL, NULL, &die, NULL);
		cu = next) {
		Dwarf_Addr base, begin, end;
		ptrdiff_t off = 0;

		for (unsigned n = 0; die.addr && n < MAX_RANGES && f->ranges_left; n++) {
			struct dwarf_range *r;

			off = dwarf_ranges(&die, off, &base, &begin, &end);
			if (off <= 0)
				break;
			f->ranges_left--;
			r = vec_add(f->arena, &f->ranges);
			*r = (struct dwarf_range){begin, end, die.addr, die.cu};
		}
	}
}

static void scan_at(struct dwarf_file *f, Dwarf_Die die)
{
	uint8_t type;

	if (!dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) &&
		unit_body(f, type, &die))
		unit_of(f, &die);
}

const struct dwarf_entry *dwarf_find_pc(struct dwarf_file *f, uint64_t vaddr)
{
	const struct dwarf_entry *e;
	Dwarf_Die die;

	if (!f->dbg)
		return NULL;
	e = intmap_get_ptr(&f->by_pc, vaddr);
	if (e || f->scanned_all)
		return e;
	if (dwarf_addrdie(f->dbg, vaddr, &die)) {
		scan_at(f, die);
		e = intmap_get_ptr(&f->by_pc, vaddr);
	}
	if (e)
		return e;
	if (!f->have_ranges)
		read_ranges(f);
	f->have_ranges = true;
	vec_for (r, &f->ranges) {
		if (vaddr >= r->begin && vaddr < r->end)
			scan_at(f, (Dwarf_Die){.addr = r->addr, .cu = r->cu});
	}
	return intmap_get_ptr(&f->by_pc, vaddr);
}

const struct dwarf_entry *dwarf_find_data(struct dwarf_file *f, uint64_t vaddr)
{
	return f->dbg ? intmap_get_ptr(&f->by_data, vaddr) : NULL;
}

/* ---- scopes ---- */

/* Returns the innermost one that DIE is in; "" for none. */
static const char *prefix_of(struct dwarf_file *f, Dwarf_Die *die)
{
	struct dwarf_unit *u = unit_of(f, die);
	uint32_t lo = 0, hi = u->scopes.len;

	while (lo < hi) { /* the first that begins after DIE, or at it */
		uint32_t mid = (lo + hi) / 2;

		if (u->scopes.data[mid].begin < die->addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo && u->scopes.data[lo - 1].end <= die->addr)
		lo = u->scopes.data[lo - 1].parent;
	return lo ? u->scopes.data[lo - 1].prefix : "";
}

bool dwarf_is_scoped(struct dwarf_file *f, Dwarf_Die *die)
{
	return f->dbg && !unit_of(f, die)->flat;
}

const char *dwarf_qualified(struct dwarf_file *f, Dwarf_Die *die, const char *name)
{
	const char *prefix = "";
	struct facts fa;

	if (f->dbg) {
		gather(die, &fa);
		prefix = prefix_of(f, &fa.origin);
	}
	return *prefix ? arena_printf(f->types->arena, "%s%s", prefix, name)
		       : arena_strdup(f->types->arena, name);
}
