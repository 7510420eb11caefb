// SPDX-License-Identifier: Apache-2.0
/*
 * Finds where the parameters of a function are on its entry.
 *
 * System V ABI, AMD64 Architecture Processor Supplement, 3.2.3 "Parameter Passing"; Itanium C++
 * ABI 3.1.2.3 for objects that cannot be copied by moving their bytes.
 */
#include <dwarf.h>
#include <string.h>

#include "elf/dwarf.h"
#include "types/dwarf.h"
#include "types/dwarf_int.h"
#include "types/types.h"

/* The ABI's classes, in the order in which they win when two share eight bytes. */
enum klass { NO_CLASS, SSE, X87, INTEGER, MEMORY };

/* A value's first and second eight bytes. */
struct value {
	enum klass half[2];
	uint64_t size;
};

static void merge_class(struct value *v, uint64_t at, enum klass k)
{
	enum klass *half = &v->half[at / 8 & 1];

	if (k > *half)
		*half = k;
}

static void classify(struct value *v, const struct type *type, uint64_t at, unsigned depth);

static void classify_members(struct value *v, const struct type *res, uint64_t at, unsigned depth)
{
	uint32_t n;
	const struct member *m = type_members(res, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t byte = at + m[i].bit_offset / 8;

		if (m[i].bit_size) {
			uint64_t last = at * 8 + m[i].bit_offset + m[i].bit_size - 1;

			merge_class(v, byte, INTEGER);
			merge_class(v, last / 8, INTEGER);
		} else if (byte % type_align(m[i].type)) {
			merge_class(v, 0, MEMORY); /* packed */
		} else {
			classify(v, m[i].type, byte, depth + 1);
		}
	}
}

static void classify_array(struct value *v, const struct type *res, uint64_t at, unsigned depth)
{
	const struct dwarf_node *n = dwarf_node_of(res);
	uint64_t each = type_resolve(res->ref)->size;

	if (n && n->is_vector) { /* the upper half follows the lower one */
		merge_class(v, at, SSE);
		return;
	}
	for (uint64_t off = 0; each && off < res->size; off += each)
		classify(v, res->ref, at + off, depth + 1);
}

/* TYPE at byte AT of V, which lies within 16 bytes. */
static void classify(struct value *v, const struct type *type, uint64_t at, unsigned depth)
{
	const struct type *res = type_resolve(type);

	if (depth > TYPE_MAX_DEPTH || at + res->size > 16) {
		merge_class(v, 0, MEMORY);
		return;
	}
	switch (res->kind) {
	case TYPE_INT:
	case TYPE_ENUM:
	case TYPE_PTR:
		merge_class(v, at, INTEGER);
		if (res->size > 8)
			merge_class(v, at + 8, INTEGER);
		break;
	case TYPE_FLOAT:
		merge_class(v, at, res->size > 8 ? X87 : SSE);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		classify_members(v, res, at, depth);
		break;
	case TYPE_ARRAY:
		classify_array(v, res, at, depth);
		break;
	default:
		break;
	}
}

/* ---- C++ objects that must stay where they are ---- */

static bool by_address(const struct type *type, unsigned depth);

/* DIE, a constructor of CLASS, takes nothing but another object of it. */
static bool copies(struct dwarf_file *f, Dwarf_Die *die, const struct type *klass)
{
	const struct type *p;
	Dwarf_Die c;

	if (!dwarf_first(die, &c) || !dwarf_next(&c) || dwarf_tag(&c) != DW_TAG_formal_parameter)
		return false;
	p = type_resolve(dwarf_type_of(f, &c));
	return p->kind == TYPE_PTR && type_resolve(p->ref) == klass;
}

/*
 * True if method DIE is a destructor, or a constructor that copies or moves, and does more than
 * copy bytes: its author wrote it.
 */
static bool is_special(struct dwarf_file *f, Dwarf_Die *die, const struct dwarf_node *n)
{
	const char *name = elf_dwarf_name(die), *klass = elf_dwarf_name((Dwarf_Die *)&n->die);
	uint64_t defaulted = 0;
	size_t len;

	if (dwarf_tag(die) != DW_TAG_subprogram || !name || !klass ||
		dwarf_flag(die, DW_AT_artificial) || dwarf_flag(die, DW_AT_deleted))
		return false;
	dwarf_number(die, DW_AT_defaulted, &defaulted);
	if (defaulted == DW_DEFAULTED_in_class)
		return false;
	if (*name == '~')
		return true;
	/* that of pool<int> is called pool */
	len = strlen(name);
	return !strncmp(name, klass, len) && (!klass[len] || klass[len] == '<') &&
		copies(f, die, &n->node.type);
}

/* Not all compilers write DW_AT_calling_convention; then its class's declaration tells. */
static bool declared_so(struct dwarf_file *f, struct dwarf_node *n)
{
	uint64_t convention;
	Dwarf_Die c;

	if (dwarf_number(&n->die, DW_AT_calling_convention, &convention))
		return convention == DW_CC_pass_by_reference;
	if (!dwarf_is_scoped(f, &n->die) || !dwarf_first(&n->die, &c))
		return false;
	if (dwarf_hasattr(&n->die, DW_AT_containing_type)) /* it has virtual functions */
		return true;
	do {
		uint64_t virtuality = 0;

		if (dwarf_tag(&c) == DW_TAG_inheritance &&
			dwarf_number(&c, DW_AT_virtuality, &virtuality) && virtuality)
			return true;
		if (is_special(f, &c, n))
			return true;
	} while (dwarf_next(&c));
	return false;
}

/* A class with such a member or base is one itself. */
static bool has_such(const struct type *res, unsigned depth)
{
	uint32_t n;
	const struct member *m = type_members(res, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (by_address(m[i].type, depth + 1))
			return true;
	}
	return false;
}

static bool by_address(const struct type *type, unsigned depth)
{
	const struct type *res = type_resolve(type);
	struct dwarf_node *n;

	while (res->kind == TYPE_ARRAY)
		res = type_resolve(res->ref);
	n = dwarf_node_of(res);
	if (!n || (res->kind != TYPE_STRUCT && res->kind != TYPE_UNION) || depth > TYPE_MAX_DEPTH)
		return false;
	if (!n->asked && n->node.dwarf->dbg) {
		n->asked = true;
		n->by_address = declared_so(n->node.dwarf, n) ||
			(dwarf_is_scoped(n->node.dwarf, &n->die) && has_such(res, depth));
	}
	return n->by_address;
}

bool dwarf_abi_by_address(const struct type *type)
{
	return by_address(type, 0);
}

/* ---- registers and stack ---- */

static struct value value_of(const struct type *type)
{
	const struct type *res = type_resolve(type);
	const struct dwarf_node *n = dwarf_node_of(res);
	struct value v = {.size = res->size};

	if (dwarf_abi_by_address(res)) {
		v.size = sizeof(void *);
		v.half[0] = INTEGER;
	} else if (n && n->is_vector) {
		v.half[0] = SSE;
	} else {
		classify(&v, res, 0, 0);
	}
	return v;
}

/* A result that the caller makes room for, whose address comes first. */
static bool returns_in_memory(const struct type *func)
{
	struct value v = value_of(func->ref);

	return dwarf_abi_by_address(func->ref) || v.half[0] == MEMORY || v.half[1] == MEMORY;
}

/* Registers and words of the stack that have been taken. */
struct taken {
	unsigned regs, vectors, words;
};

#define NREGS	 6
#define NVECTORS 8

static void put_on_stack(struct taken *t, const struct type *type, uint64_t size)
{
	if (type_align(type) >= 16)
		t->words = (t->words + 1) & ~1u;
	t->words += (unsigned)((size + 7) / 8);
}

/* Puts the next parameter where it belongs and returns its slot. */
static int pass(struct taken *t, const struct type *type)
{
	struct value v = value_of(type);
	unsigned regs = (v.half[0] == INTEGER) + (v.half[1] == INTEGER);
	unsigned vectors = (v.half[0] == SSE) + (v.half[1] == SSE);
	int slot = DWARF_ABI_PIECES;

	if (!v.size || (!v.half[0] && !v.half[1]))
		return DWARF_ABI_NONE;
	if (v.half[0] >= MEMORY || v.half[1] >= MEMORY || v.half[0] == X87 || v.half[1] == X87) {
		put_on_stack(t, type, v.size);
		return v.size <= 8 ? NREGS + (int)t->words - 1 : DWARF_ABI_MEMORY;
	}
	if (!regs)
		slot = DWARF_ABI_FLOAT;
	else if (v.size <= 8)
		slot = (int)(t->regs < NREGS ? t->regs : NREGS + t->words);
	if (t->regs + regs <= NREGS && t->vectors + vectors <= NVECTORS) {
		t->regs += regs;
		t->vectors += vectors;
		return slot;
	}
	put_on_stack(t, v.size <= 8 ? types_basic(type->owner, T_LONG) : type, v.size);
	return slot == DWARF_ABI_PIECES ? DWARF_ABI_MEMORY : slot;
}

int dwarf_abi_slot(const struct type *func, unsigned i)
{
	const struct type *res = type_resolve(func);
	struct taken t = {0};
	bool variadic;
	uint32_t n = res->kind == TYPE_FUNC ? func_nparams(res, &variadic) : 0;
	int slot = DWARF_ABI_NONE;

	if (i >= n)
		return DWARF_ABI_NONE;
	t.regs = returns_in_memory(res);
	for (unsigned k = 0; k <= i; k++) {
		const struct type *p = func_param(res, k, NULL);

		slot = p ? pass(&t, p) : DWARF_ABI_NONE;
	}
	return slot;
}
