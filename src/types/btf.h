/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btf: a reader of the BTF wire format (Documentation/bpf/btf.rst) over borrowed bytes.
 *
 * It knows ids, kinds, names and where each type lies; it does not know struct type.  Nothing in
 * the bytes is trusted: btf_open() walks the type section once and refuses an image in which a
 * type reaches beyond the section, so that the trailing data of a type found later is readable.
 * Ids and name offsets inside that data are checked when they are used.
 * An image may stand on top of another one, its base (split BTF: a module's on vmlinux's); its ids
 * and name offsets go on where the base's end.
 * The bytes must outlive the image; everything else lives in the arena.
 */
#ifndef TYPES_BTF_H
#define TYPES_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/btf.h>

#include "base/strmap.h"

/* Name spaces of the kernel's types; functions have their own. */
enum btf_class {
	BTF_CLASS_NONE,
	BTF_CLASS_ORDINARY,
	BTF_CLASS_STRUCT,
	BTF_CLASS_UNION,
	BTF_CLASS_ENUM,
	BTF_CLASS_FUNC,
	BTF_CLASS_VAR,
	BTF_CLASS_SECTION,
	BTF_CLASS_MAX,
};

#define BTF_KINDS 128

struct btf_kind_info {
	bool known;
	uint8_t klass;		  /* enum btf_class */
	uint8_t info_sz, elem_sz; /* bytes after the btf_type: once, and for each of its vlen */
};

struct btf_offsets;

/* An index of the names of one class. */
struct btf_names {
	struct btf_offsets *first,
		*last;	     /* where its types lie, in order; not kept for functions */
	struct strmap found; /* earlier answers: id + 1 */
	uint32_t scans;	     /* look-ups that had to go through the types */
	uint32_t *slots;     /* offset + 1 by hash of name, once there were many */
	uint32_t slot_mask;
};

struct btf_image {
	struct arena *arena;
	const char *types, *strs;
	uint32_t types_len, strs_len;
	uint32_t ntypes;	      /* ids are first_id .. first_id + ntypes - 1; 0 is void */
	uint32_t first_id, first_str; /* 1 and 0, or what the base leaves */
	const struct btf_image *base; /* NULL: stands alone; a base has none */
	uint32_t *marks;	      /* where in `types` every BTF_STRIDE-th type begins */
	struct btf_kind_info kinds[BTF_KINDS];
	struct btf_names names[BTF_CLASS_MAX];
};

/* NULL and *ERROR = -EINVAL when the bytes are no BTF of this machine's byte order. */
struct btf_image *btf_open(
	struct arena *a, const void *data, size_t len, const struct btf_image *base, int *error);

/* Returns the type with ID; NULL if there is none (0 included), here or in the base. */
const struct btf_type *btf_by_id(const struct btf_image *b, uint32_t id);

/* Returns the string at an offset; "" for offset 0, NULL for one outside of the string section. */
const char *btf_string(const struct btf_image *b, uint32_t off);

/*
 * Returns the lowest id of NAME in KLASS, without a look into the base; 0 if there is none.  A
 * forward declaration is the answer only where no struct or union has the name.
 */
uint32_t btf_find(struct btf_image *b, enum btf_class klass, const char *name);

/* Visits each name in KLASS that begins with PREFIX, in order of id. */
void btf_each(const struct btf_image *b, enum btf_class klass, const char *prefix,
	void (*visit)(void *arg, const char *name), void *arg);

/*
 * The kernel's checker insists that unused bits are zero, and 7.2 gave them to vlen and kind
 * (its include/uapi/linux/btf.h): reading the wider fields is right for older images too.
 */
static inline uint32_t btf_kind(const struct btf_type *bt)
{
	return bt->info >> 24 & (BTF_KINDS - 1);
}

static inline uint32_t btf_vlen(const struct btf_type *bt)
{
	return bt->info & 0xffffff;
}

static inline bool btf_kflag(const struct btf_type *bt)
{
	return bt->info >> 31;
}

/* Returns the data after a type: members, parameters, enumerators, ... as its kind says. */
static inline const void *btf_trailer(const struct btf_type *bt)
{
	return bt + 1;
}

#endif
