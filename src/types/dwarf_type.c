// SPDX-License-Identifier: Apache-2.0
/*
 * Makes types from DIEs (DWARF 5, chapter 5).  A type is made when it is first met, the members of
 * a struct, enum or function when somebody first asks for them.
 */
#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "elf/dwarf.h"
#include "types/dwarf.h"
#include "types/dwarf_int.h"
#include "types/types.h"

#define MAX_DIMENSIONS 16
#define MAX_ORIGIN     8

static const struct type *build_type(struct dwarf_file *f, Dwarf_Die *die, unsigned depth);

struct dwarf_node *dwarf_node_of(const struct type *type)
{
	return type_node(type)->has_die ? (struct dwarf_node *)type_node(type) : NULL;
}

static const struct type *nothing(struct dwarf_file *f)
{
	return f->types->basic[T_VOID];
}

/* ---- attributes ---- */

bool dwarf_number(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute a;
	Dwarf_Word w;

	if (!dwarf_attr_integrate(die, name, &a) || dwarf_formudata(&a, &w))
		return false;
	*value = w;
	return true;
}

bool dwarf_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	bool is = false;

	return dwarf_attr(die, name, &a) && !dwarf_formflag(&a, &is) && is;
}

/* The DIE that attribute NAME refers to. */
static bool refers(Dwarf_Die *die, unsigned name, Dwarf_Die *to)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, name, &a) && dwarf_formref_die(&a, to);
}

static const struct type *type_of(struct dwarf_file *f, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die to;

	return refers(die, DW_AT_type, &to) ? build_type(f, &to, depth + 1) : nothing(f);
}

const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die)
{
	return type_of(f, die, 0);
}

/* ---- base types ---- */

/* Types without a D kind become an array under their own name. */
static bool fill_opaque(
	struct dwarf_file *f, struct type *type, const struct type *elem, uint64_t n)
{
	type->kind = type->name ? TYPE_TYPEDEF : TYPE_ARRAY;
	type->nelems = type->name ? 0 : (uint32_t)n;
	type->ref = type->name ? types_array(f->types, elem, (uint32_t)n) : elem;
	type->size = elem->size * n;
	return true;
}

static bool fill_bytes(struct dwarf_file *f, struct type *type)
{
	return fill_opaque(f, type, f->types->basic[T_UCHAR], type->size);
}

static bool fill_float(struct dwarf_file *f, struct type *type)
{
	/* of those of 16 bytes only x87's is known; __float128 is another */
	bool known = type->size == 4 || type->size == 8 ||
		(type->size == 16 && type->name && !strcmp(type->name, "long double"));

	if (!known)
		return fill_bytes(f, type);
	type->kind = TYPE_FLOAT;
	return true;
}

static bool fill_complex(struct dwarf_file *f, struct type *type)
{
	enum type_basic part = type->size == 8 ? T_FLOAT : type->size == 16 ? T_DOUBLE : T_LDOUBLE;

	if (type->size != 8 && type->size != 16 && type->size != 32)
		return fill_bytes(f, type);
	return fill_opaque(f, type, f->types->basic[part], 2);
}

static bool fill_int(struct dwarf_file *f, struct type *type, bool is_signed)
{
	char canon[32];

	if (!type->size || type->size > 16 || (type->size & (type->size - 1)))
		return fill_bytes(f, type);
	if (type->name && type_canonical_int(type->name, canon, sizeof(canon)) &&
		strcmp(canon, type->name))
		type->name = arena_strdup(f->types->arena, canon);
	type->kind = TYPE_INT;
	type->is_signed = is_signed;
	type->is_char = type->name && type->size == 1 &&
		(!strcmp(type->name, "char") || !strcmp(type->name, "char8_t"));
	return true;
}

static bool fill_base(struct dwarf_file *f, struct type *type, Dwarf_Die *die)
{
	uint64_t encoding = 0;

	if (type->size > UINT16_MAX)
		return false;
	dwarf_number(die, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		type->is_bool = type->size == 1;
		return fill_int(f, type, false);
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return fill_int(f, type, true);
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_ASCII:
	case DW_ATE_UCS:
	case DW_ATE_address:
		return fill_int(f, type, false);
	case DW_ATE_float:
		return fill_float(f, type);
	case DW_ATE_complex_float:
		return fill_complex(f, type);
	default:
		return fill_bytes(f, type);
	}
}

/* ---- types made of another ---- */

static bool fill_ref(struct type *type, enum type_kind kind, const struct type *to)
{
	struct node *n = type_node(type);

	type->kind = kind;
	type->ref = to;
	/* no chain gets longer than DEPTH allows by being built from its far end */
	n->depth = type_node(to)->depth + 1;
	if (kind == TYPE_TYPEDEF || kind == TYPE_QUAL)
		type->size = to->size;
	return n->depth <= TYPE_MAX_DEPTH;
}

static bool fill_ptr(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	type->size = sizeof(void *);
	type->is_user = true;
	return fill_ref(type, TYPE_PTR, type_of(f, die, depth));
}

/* decltype(nullptr) is passed as a pointer; what else has no type's name is void. */
static bool fill_unspecified(struct dwarf_file *f, struct type *type)
{
	if (!type->name || !strstr(type->name, "nullptr"))
		return false;
	type->size = sizeof(void *);
	type->is_user = true;
	return fill_ref(type, TYPE_PTR, nothing(f));
}

/*
 * Fills a pointer to a data member, an offset, or to a function, two words (Itanium C++ ABI 2.3).
 */
static bool fill_member_ptr(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	bool func = type_resolve(type_of(f, die, depth))->kind == TYPE_FUNC;

	if (func)
		return fill_opaque(f, type, f->types->basic[T_LONG], 2);
	type->name = "long";
	type->size = sizeof(long);
	return fill_int(f, type, true);
}

static bool fill_qual(
	struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth, char qual)
{
	type->qual = qual;
	return fill_ref(type, TYPE_QUAL, type_of(f, die, depth));
}

/* Elements of one dimension; 0: the file does not say, or only where the program runs. */
static uint32_t dimension(Dwarf_Die *sub)
{
	uint64_t n, low = 0;

	if (!dwarf_number(sub, DW_AT_count, &n)) {
		/* an upper bound of -1 is one of no elements */
		if (!dwarf_number(sub, DW_AT_upper_bound, &n) || ++n == 0)
			return 0;
		dwarf_number(sub, DW_AT_lower_bound, &low);
		n -= low;
	}
	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

static const struct type *array(struct dwarf_file *f, const struct type *of, uint32_t n)
{
	const struct type *type;

	if (of->size && n > UINT32_MAX / of->size)
		n = 0;
	type = types_array(f->types, of, n);
	type_node(type)->depth = type_node(of)->depth + 1;
	return type_node(type)->depth <= TYPE_MAX_DEPTH ? type : nothing(f);
}

/* int a[2][3] is an array of 2 arrays of 3. */
static bool fill_array(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	const struct type *elem = type_of(f, die, depth);
	uint32_t dims[MAX_DIMENSIONS], n = 0;
	Dwarf_Die sub;

	if (dwarf_first(die, &sub)) {
		do {
			if (dwarf_tag(&sub) == DW_TAG_subrange_type && n < MAX_DIMENSIONS)
				dims[n++] = dimension(&sub);
		} while (dwarf_next(&sub));
	}
	while (n > 1)
		elem = array(f, elem, dims[--n]);
	elem = array(f, elem, n ? dims[0] : 0);
	if (elem->kind != TYPE_ARRAY)
		return false;
	type->nelems = elem->nelems;
	type->size = elem->size;
	dwarf_node_of(type)->is_vector = dwarf_flag(die, DW_AT_GNU_vector);
	return fill_ref(type, TYPE_ARRAY, elem->ref);
}

/* ---- types that are read later ---- */

static bool unread(struct type *type, enum type_kind kind)
{
	type->kind = kind;
	type_node(type)->made = true;
	type_node(type)->unread = true;
	return true;
}

static bool fill_record(struct type *type, Dwarf_Die *die, bool is_union)
{
	if (dwarf_flag(die, DW_AT_declaration)) {
		type->kind = TYPE_FWD;
		type->is_union = is_union;
		type->size = 0;
		return true;
	}
	return type->size <= UINT32_MAX && unread(type, is_union ? TYPE_UNION : TYPE_STRUCT);
}

static bool is_negative(Dwarf_Die *enumerator)
{
	Dwarf_Attribute a;
	Dwarf_Sword v;

	return dwarf_attr(enumerator, DW_AT_const_value, &a) &&
		(dwarf_whatform(&a) == DW_FORM_sdata ||
			dwarf_whatform(&a) == DW_FORM_implicit_const) &&
		!dwarf_formsdata(&a, &v) && v < 0;
}

static bool has_negatives(Dwarf_Die *die)
{
	Dwarf_Die e;

	if (!dwarf_first(die, &e))
		return false;
	do {
		if (is_negative(&e))
			return true;
	} while (dwarf_next(&e));
	return false;
}

static bool fill_enum(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	const struct type *of = type_resolve(type_of(f, die, depth));

	if (!type->size)
		type->size = of->kind == TYPE_INT ? of->size : sizeof(int);
	type->is_signed = of->kind == TYPE_INT ? of->is_signed : has_negatives(die);
	if (type->size > 8 || (type->size & (type->size - 1)))
		return false;
	return unread(type, TYPE_ENUM);
}

static bool fill_func(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	return fill_ref(type, TYPE_FUNC, type_of(f, die, depth)) && unread(type, TYPE_FUNC);
}

/* ---- DIEs to nodes ---- */

static bool fill_type(struct dwarf_file *f, struct type *type, Dwarf_Die *die, unsigned depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return fill_base(f, type, die);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return fill_ptr(f, type, die, depth);
	case DW_TAG_unspecified_type:
		return fill_unspecified(f, type);
	case DW_TAG_ptr_to_member_type:
		return fill_member_ptr(f, type, die, depth);
	case DW_TAG_const_type:
		return fill_qual(f, type, die, depth, 'c');
	case DW_TAG_volatile_type:
		return fill_qual(f, type, die, depth, 'v');
	case DW_TAG_restrict_type:
		return fill_qual(f, type, die, depth, 'r');
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
		return fill_ref(type, TYPE_TYPEDEF, type_of(f, die, depth));
	case DW_TAG_array_type:
		return fill_array(f, type, die, depth);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return fill_record(type, die, false);
	case DW_TAG_union_type:
		return fill_record(type, die, true);
	case DW_TAG_enumeration_type:
		return fill_enum(f, type, die, depth);
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return fill_func(f, type, die, depth);
	default:
		return false;
	}
}

/* True for a DIE that only adds to another type something that the table cannot hold. */
static bool is_transparent(int tag)
{
	switch (tag) {
	case DW_TAG_atomic_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
	case DW_TAG_subrange_type:
		return true;
	default:
		return false;
	}
}

/* Types of the scopes of C++ have longer names than they say. */
static const char *spelled(struct dwarf_file *f, Dwarf_Die *die)
{
	const char *name = elf_dwarf_name(die);

	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
		return name && *name ? dwarf_qualified(f, die, name) : NULL;
	default:
		return name && *name ? arena_strdup(f->types->arena, name) : NULL;
	}
}

static const struct type *make_type(struct dwarf_file *f, Dwarf_Die *die, unsigned depth)
{
	struct dwarf_node *n = arena_new_obj(f->types->arena, struct dwarf_node);
	struct type *type = &n->node.type;

	type->owner = f->types;
	n->die = *die;
	n->node.dwarf = f;
	n->node.has_die = true;
	n->node.state = NODE_BUILDING;
	(void)intmap_put_ptr(&f->nodes, dwarf_key(die->addr), n);
	type->name = spelled(f, die);
	dwarf_number(die, DW_AT_byte_size, &type->size);
	if (!fill_type(f, type, die, depth)) {
		n->node.state = NODE_BAD;
		return nothing(f);
	}
	n->node.state = NODE_READY;
	return type;
}

static const struct type *build_type(struct dwarf_file *f, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die body = *die, to;
	Dwarf_Attribute a;
	struct dwarf_node *n;

	if (depth > TYPE_MAX_DEPTH)
		return nothing(f);
	if (is_transparent(dwarf_tag(die)))
		return type_of(f, die, depth);
	/* a declaration on behalf of a type unit's type (DWARF 5, 5.7.1) */
	if (dwarf_attr(die, DW_AT_signature, &a) && dwarf_formref_die(&a, &to))
		body = to;
	n = intmap_get_ptr(&f->nodes, dwarf_key(body.addr));
	if (n)
		return n->node.state == NODE_READY ? &n->node.type : nothing(f);
	return make_type(f, &body, depth);
}

const struct type *dwarf_build(struct dwarf_file *f, Dwarf_Die *die)
{
	return build_type(f, die, 0);
}

/* ---- members ---- */

/* DW_AT_data_member_location, a number or, before DWARF 3, an expression that adds one. */
static bool member_location(Dwarf_Die *die, uint64_t *loc)
{
	Dwarf_Attribute a;
	Dwarf_Word w;
	Dwarf_Op *ops;
	size_t n;

	*loc = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &a))
		return true; /* of a union */
	if (!dwarf_formudata(&a, &w)) {
		*loc = w;
		return true;
	}
	/* that of a virtual base class is found out where the program runs */
	if (dwarf_getlocation(&a, &ops, &n) || n != 1 || ops[0].atom != DW_OP_plus_uconst)
		return false;
	*loc = ops[0].number;
	return true;
}

/*
 * Finds the first bit of a bit-field (DWARF 5, 5.7.6; before DWARF 4: DWARF 2, 5.5.4, from its far
 * end).
 */
static bool place_bits(Dwarf_Die *die, const struct type *type, uint64_t bits, uint64_t *at)
{
	uint64_t loc, from_top, storage = type_resolve(type)->size;

	if (dwarf_number(die, DW_AT_data_bit_offset, at))
		return true;
	if (!member_location(die, &loc) || loc > UINT32_MAX)
		return false;
	*at = loc * 8;
	if (!dwarf_number(die, DW_AT_bit_offset, &from_top))
		return true;
	dwarf_number(die, DW_AT_byte_size, &storage);
	if (storage > 16)
		return false;
	/* negative where the field lies in what follows its storage unit */
	*at += storage * 8 - bits - from_top;
	return true;
}

static bool is_bits_type(const struct type *type, uint64_t bits)
{
	const struct type *res = type_resolve(type);

	return (res->kind == TYPE_INT || res->kind == TYPE_ENUM) && bits <= 64 &&
		bits <= res->size * 8;
}

/* Sets M's place; false where it is not within SIZE bytes. */
static bool place_member(Dwarf_Die *die, uint64_t size, struct member *m)
{
	uint64_t bits = 0, at, end;

	if (dwarf_number(die, DW_AT_bit_size, &bits) && bits) {
		if (!is_bits_type(m->type, bits) || !place_bits(die, m->type, bits, &at))
			return false;
	} else {
		if (!member_location(die, &at) || at > UINT32_MAX / 8)
			return false;
		at *= 8;
	}
	end = bits ? bits : type_resolve(m->type)->size * 8;
	if (at > UINT32_MAX || at + end > size * 8)
		return false;
	m->bit_offset = (uint32_t)at;
	m->bit_size = (uint32_t)bits;
	return true;
}

/* Reads a member, or a base class, which is a member without a name. */
static bool read_member(struct dwarf_file *f, Dwarf_Die *die, uint64_t size, struct member *m)
{
	bool base = dwarf_tag(die) == DW_TAG_inheritance;
	const char *name = base ? NULL : elf_dwarf_name(die);
	const struct type *res;

	if (!base && dwarf_tag(die) != DW_TAG_member)
		return false;
	if (dwarf_flag(die, DW_AT_external) || dwarf_flag(die, DW_AT_declaration))
		return false; /* static */
	m->type = type_of(f, die, 0);
	m->name = name ? arena_strdup(f->types->arena, name) : "";
	res = type_resolve(m->type);
	if (!*m->name && res->kind != TYPE_STRUCT && res->kind != TYPE_UNION)
		return false;
	return place_member(die, size, m);
}

static uint32_t count_children(Dwarf_Die *die)
{
	Dwarf_Die c;
	uint32_t n = 0;

	if (!dwarf_first(die, &c))
		return 0;
	do
		n++;
	while (dwarf_next(&c));
	return n;
}

static void read_members(struct dwarf_file *f, struct dwarf_node *dn)
{
	struct node *n = &dn->node;
	struct member *list =
		arena_new_array(f->types->arena, struct member, count_children(&dn->die) + 1);
	uint32_t count = 0;
	Dwarf_Die c;

	if (dwarf_first(&dn->die, &c)) {
		do {
			if (read_member(f, &c, n->type.size, &list[count]))
				count++;
		} while (dwarf_next(&c));
	}
	n->members = list;
	n->nmembers = count;
}

/* ---- enumerators ---- */

static void read_enumerators(struct dwarf_file *f, struct dwarf_node *dn)
{
	struct type_enumerator *list = arena_new_array(
		f->types->arena, struct type_enumerator, count_children(&dn->die) + 1);
	uint32_t n = 0;
	Dwarf_Die c;

	dn->node.enums = list;
	if (!dwarf_first(&dn->die, &c))
		return;
	do {
		const char *name = elf_dwarf_name(&c);
		Dwarf_Attribute a;
		Dwarf_Word u;
		Dwarf_Sword s;

		if (dwarf_tag(&c) != DW_TAG_enumerator || !name ||
			!dwarf_attr(&c, DW_AT_const_value, &a))
			continue;
		/* data1 and its kin don't say whether they have a sign; their users do */
		if (dn->node.type.is_signed ? dwarf_formsdata(&a, &s) : dwarf_formudata(&a, &u))
			continue;
		list[n].name = arena_strdup(f->types->arena, name);
		list[n++].value = dn->node.type.is_signed ? s : (int64_t)u;
	} while (dwarf_next(&c));
	dn->node.nenums = n;
}

/* ---- parameters ---- */

/*
 * Returns the DIE that has the parameters of DIE: itself, or one on whose behalf it stands (DWARF
 * 5, 3.3.8.2).
 */
static Dwarf_Die params_owner(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, next, c;

	for (unsigned n = 0; n < MAX_ORIGIN; n++) {
		if (dwarf_first(&at, &c)) {
			do {
				if (dwarf_tag(&c) == DW_TAG_formal_parameter ||
					dwarf_tag(&c) == DW_TAG_unspecified_parameters)
					return at;
			} while (dwarf_next(&c));
		}
		if (!refers(&at, DW_AT_abstract_origin, &next) &&
			!refers(&at, DW_AT_specification, &next))
			break;
		at = next;
	}
	return *die;
}

static void read_params(struct dwarf_file *f, struct dwarf_node *dn)
{
	Dwarf_Die owner = params_owner(&dn->die), c;
	uint32_t max = count_children(&owner);
	struct node *n = &dn->node;

	n->params = arena_new_array(f->types->arena, const struct type *, max + 1);
	n->param_names = arena_new_array(f->types->arena, const char *, max + 1);
	if (!dwarf_first(&owner, &c))
		return;
	do {
		const char *name;

		if (dwarf_tag(&c) == DW_TAG_unspecified_parameters)
			n->variadic = true;
		if (dwarf_tag(&c) != DW_TAG_formal_parameter)
			continue;
		name = elf_dwarf_name(&c);
		n->param_names[n->nparams] = name ? arena_strdup(f->types->arena, name) : "";
		n->params[n->nparams++] = type_of(f, &c, 0);
	} while (dwarf_next(&c));
}

void dwarf_fill(struct node *n)
{
	struct dwarf_node *dn = (struct dwarf_node *)n;
	struct dwarf_file *f = n->dwarf;
	static const struct member none;

	n->unread = false;
	if (!f->dbg) { /* closed */
		n->members = &none;
		return;
	}
	switch (n->type.kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		read_members(f, dn);
		break;
	case TYPE_ENUM:
		read_enumerators(f, dn);
		break;
	case TYPE_FUNC:
		read_params(f, dn);
		break;
	default:
		break;
	}
}

/* ---- the interface ---- */

static const struct type *built(struct dwarf_file *f, const struct dwarf_entry *e)
{
	Dwarf_Die die = dwarf_entry_die(e);
	const struct type *type = build_type(f, &die, 0);

	return type->kind == TYPE_VOID ? NULL : type;
}

const struct type *dwarf_body(struct node *n)
{
	struct dwarf_node *dn = (struct dwarf_node *)n;
	enum type_space space = n->type.is_union ? SPACE_UNION : SPACE_STRUCT;
	const struct dwarf_entry *e;

	if (dn->looked || !n->dwarf->dbg)
		return dn->body;
	dn->looked = true;
	e = dwarf_find(n->dwarf, DWARF_TYPES + space, n->type.name, RANK_BEST);
	if (e)
		dn->body = built(n->dwarf, e);
	return dn->body;
}

const struct type *dwarf_type(struct dwarf_file *f, enum type_space space, const char *name)
{
	const struct dwarf_entry *e = dwarf_find(f, DWARF_TYPES + space, name, RANK_UNSCOPED);

	return e ? built(f, e) : NULL;
}

const struct type *dwarf_variable_at(struct dwarf_file *f, const char *name, uint64_t vaddr)
{
	const struct dwarf_entry *e = dwarf_find(f, DWARF_VARS, name, RANK_UNSCOPED), *at = NULL;
	Dwarf_Die die;

	if (e && e->rank != RANK_BEST && vaddr) /* and so all units have been read */
		at = dwarf_find_data(f, vaddr);
	if (!e)
		return NULL;
	die = dwarf_entry_die(at ? at : e);
	return dwarf_type_of(f, &die);
}

const struct type *dwarf_variable(struct dwarf_file *f, const char *name)
{
	return dwarf_variable_at(f, name, 0);
}

static bool is_named(const struct dwarf_entry *e, const char *name)
{
	Dwarf_Die die = dwarf_entry_die(e);
	const char *plain = elf_dwarf_name(&die), *linkage = dwarf_linkage_name(&die);

	return (plain && !strcmp(plain, name)) || (linkage && !strcmp(linkage, name));
}

const struct type *dwarf_function(struct dwarf_file *f, const char *name, uint64_t vaddr)
{
	const struct dwarf_entry *e = NULL;

	if (vaddr) {
		const struct dwarf_entry *first = dwarf_find_pc(f, vaddr);

		for (e = first; e && !is_named(e, name); e = e->next)
			;
		if (!e)
			e = first;
	}
	if (!e) {
		e = dwarf_find(f, DWARF_FUNCS, name, RANK_UNSCOPED);
		if (e && vaddr && e->rank != RANK_BEST && e->rank != RANK_DECLARED)
			e = NULL;
	}
	return e ? built(f, e) : NULL;
}
