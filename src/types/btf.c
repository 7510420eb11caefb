// SPDX-License-Identifier: Apache-2.0
/* Reads BTF: checks an image once, then finds types by id, kind and name. */
#include "types/btf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

/*
 * Offsets are kept for one type in so many and the rest is walked: a full array would be half a
 * megabyte to write for the kernel's 126,000 types, and a walk takes some 30 ns.
 */
#define BTF_STRIDE 32

/*
 * Hashing all names of a class takes as long as going through them for about five look-ups, so
 * the table is made only for a program that looks up more different ones.
 */
#define BTF_MAX_SCANS 5

/* Offsets of the types of a class: a page of them. */
#define OFFSETS_MAX 1020
struct btf_offsets {
	struct btf_offsets *next;
	uint32_t n;
	uint32_t off[OFFSETS_MAX];
};

/*
 * The header of the file, and 7.2's btf_layout (include/uapi/linux/btf.h), of our own: the struct
 * of that name grows with the headers that this is compiled with, not with the kernel it runs on.
 */
struct header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
	uint32_t layout_off, layout_len; /* since 7.2 */
};
#define HEADER_LEAST offsetof(struct header, layout_off)

struct layout {
	uint8_t info_sz, elem_sz;
	uint16_t flags;
};

#define KIND(klass, info, elem)                     \
	{                                           \
		true, BTF_CLASS_##klass, info, elem \
	}
static const struct btf_kind_info kinds[] = {
	[BTF_KIND_INT] = KIND(ORDINARY, sizeof(uint32_t), 0),
	[BTF_KIND_PTR] = KIND(NONE, 0, 0),
	[BTF_KIND_ARRAY] = KIND(NONE, sizeof(struct btf_array), 0),
	[BTF_KIND_STRUCT] = KIND(STRUCT, 0, sizeof(struct btf_member)),
	[BTF_KIND_UNION] = KIND(UNION, 0, sizeof(struct btf_member)),
	[BTF_KIND_ENUM] = KIND(ENUM, 0, sizeof(struct btf_enum)),
	[BTF_KIND_FWD] = KIND(STRUCT, 0, 0), /* or UNION: class_of() */
	[BTF_KIND_TYPEDEF] = KIND(ORDINARY, 0, 0),
	[BTF_KIND_VOLATILE] = KIND(NONE, 0, 0),
	[BTF_KIND_CONST] = KIND(NONE, 0, 0),
	[BTF_KIND_RESTRICT] = KIND(NONE, 0, 0),
	[BTF_KIND_FUNC] = KIND(FUNC, 0, 0), /* its vlen is the linkage */
	[BTF_KIND_FUNC_PROTO] = KIND(NONE, 0, sizeof(struct btf_param)),
	[BTF_KIND_VAR] = KIND(VAR, sizeof(struct btf_var), 0),
	[BTF_KIND_DATASEC] = KIND(SECTION, 0, sizeof(struct btf_var_secinfo)),
	[BTF_KIND_FLOAT] = KIND(ORDINARY, 0, 0),
	[BTF_KIND_DECL_TAG] = KIND(NONE, sizeof(struct btf_decl_tag), 0),
	[BTF_KIND_TYPE_TAG] = KIND(NONE, 0, 0),
	[BTF_KIND_ENUM64] = KIND(ENUM, 0, sizeof(struct btf_enum64)),
};
#undef KIND

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Sizes of the kinds: the known ones, and newer ones as the image itself describes them. */
static void learn_kinds(struct btf_image *b, const struct layout *l, uint32_t n)
{
	memcpy(b->kinds, kinds, sizeof(kinds));
	for (uint32_t k = NKINDS; k < n && k < BTF_KINDS; k++) {
		b->kinds[k].known = l[k].info_sz % 4 == 0 && l[k].elem_sz % 4 == 0;
		b->kinds[k].info_sz = l[k].info_sz;
		b->kinds[k].elem_sz = l[k].elem_sz;
	}
}

static size_t type_size(const struct btf_image *b, const struct btf_type *bt)
{
	const struct btf_kind_info *k = &b->kinds[btf_kind(bt)];

	return sizeof(*bt) + k->info_sz + (size_t)k->elem_sz * btf_vlen(bt);
}

static const struct btf_type *next_type(const struct btf_image *b, const struct btf_type *bt)
{
	return (const void *)((const char *)bt + type_size(b, bt));
}

/* Its name_off was checked when the image was opened. */
static inline const char *name_of(const struct btf_image *b, const struct btf_type *bt)
{
	if (bt->name_off < b->first_str)
		return b->base->strs + bt->name_off;
	return b->strs + (bt->name_off - b->first_str);
}

static enum btf_class class_of(const struct btf_image *b, const struct btf_type *bt)
{
	uint32_t kind = btf_kind(bt);

	if (kind == BTF_KIND_FWD && btf_kflag(bt))
		return BTF_CLASS_UNION;
	return b->kinds[kind].klass;
}

static struct btf_offsets *more_offsets(struct btf_image *b, struct btf_names *names)
{
	struct btf_offsets *fresh = arena_new_obj(b->arena, struct btf_offsets);

	if (names->last)
		names->last->next = fresh;
	else
		names->first = fresh;
	return names->last = fresh;
}

/*
 * Note where a type lies if it is one to keep.  Whether it is cannot be predicted, so the
 * offset is always written and only the count depends: a branch made the whole pass half as
 * long again.
 */
static inline void note_offset(
	struct btf_image *b, struct btf_names *names, uint32_t off, bool keep)
{
	struct btf_offsets *last = names->last;

	if (last->n == OFFSETS_MAX)
		last = more_offsets(b, names);
	last->off[last->n] = off;
	last->n += keep;
}

/* Walk the type section once, checking extents and names and noting offsets. */
static int index_types(struct btf_image *b)
{
	uint32_t n = 0, countdown = 1, room = b->types_len / sizeof(struct btf_type);
	uint64_t off = 0, names_end = (uint64_t)b->first_str + b->strs_len;

	b->marks = arena_new_array(b->arena, uint32_t, room / BTF_STRIDE + 1);
	for (int klass = 0; klass < BTF_CLASS_MAX; klass++)
		more_offsets(b, &b->names[klass]);
	while (off < b->types_len) {
		const struct btf_type *bt = (const void *)(b->types + off);
		enum btf_class klass;

		if (b->types_len - off < sizeof(*bt))
			return -EINVAL;
		if (!b->kinds[btf_kind(bt)].known || bt->name_off >= names_end)
			return -EINVAL;
		if (!--countdown) {
			b->marks[n / BTF_STRIDE] = off;
			countdown = BTF_STRIDE;
		}
		klass = class_of(b, bt);
		/* half of all types are functions: too many to note for the few that ask */
		note_offset(b, &b->names[klass], off,
			(klass != BTF_CLASS_NONE) & (klass != BTF_CLASS_FUNC) & !!bt->name_off);
		off += type_size(b, bt);
		n++;
	}
	b->ntypes = n;
	return off == b->types_len && n < UINT32_MAX - b->first_id ? 0 : -EINVAL;
}

/* True if LEN bytes at OFF, counted from the end of the header, lie inside of SIZE bytes. */
static bool section_ok(uint32_t hdr_len, uint32_t off, uint32_t len, size_t size)
{
	return (uint64_t)hdr_len + off + len <= size;
}

static int open_sections(struct btf_image *b, const char *data, size_t len)
{
	struct header x = {0};
	const struct header *h = &x;
	const void *layout = NULL;

	if (len < HEADER_LEAST || (uintptr_t)data % sizeof(uint32_t))
		return -EINVAL;
	memcpy(&x, data, HEADER_LEAST);
	if (h->magic != BTF_MAGIC || h->version != BTF_VERSION || h->hdr_len < HEADER_LEAST ||
		h->hdr_len > len)
		return -EINVAL;
	if (h->hdr_len >= sizeof(x))
		memcpy(&x, data, sizeof(x));
	if ((h->hdr_len + h->type_off) % sizeof(uint32_t) ||
		!section_ok(h->hdr_len, h->type_off, h->type_len, len) ||
		!section_ok(h->hdr_len, h->str_off, h->str_len, len) ||
		!section_ok(h->hdr_len, x.layout_off, x.layout_len, len))
		return -EINVAL;
	if (x.layout_len && (h->hdr_len + x.layout_off) % sizeof(uint32_t) == 0)
		layout = data + h->hdr_len + x.layout_off;
	learn_kinds(b, layout, layout ? x.layout_len / sizeof(struct layout) : 0);

	b->types = data + h->hdr_len + h->type_off;
	b->types_len = h->type_len;
	b->strs = data + h->hdr_len + h->str_off;
	b->strs_len = h->str_len;
	/* The last string ends: every offset inside is a C string; offset 0 is the empty one. */
	if (b->strs_len && b->strs[b->strs_len - 1])
		return -EINVAL;
	return b->base || (b->strs_len && !b->strs[0]) ? 0 : -EINVAL;
}

struct btf_image *btf_open(
	struct arena *a, const void *data, size_t len, const struct btf_image *base, int *error)
{
	struct btf_image *b = arena_new_obj(a, struct btf_image);

	b->arena = a;
	b->base = base;
	b->first_id = base ? base->first_id + base->ntypes : 1;
	b->first_str = base ? base->first_str + base->strs_len : 0;
	*error = open_sections(b, data, len);
	if (!*error)
		*error = index_types(b);
	return *error ? NULL : b;
}

const struct btf_type *btf_by_id(const struct btf_image *b, uint32_t id)
{
	const struct btf_type *bt;

	if (b->base && id < b->first_id)
		b = b->base;
	if (id < b->first_id || id - b->first_id >= b->ntypes)
		return NULL;
	id -= b->first_id;
	bt = (const void *)(b->types + b->marks[id / BTF_STRIDE]);
	for (uint32_t n = id % BTF_STRIDE; n; n--)
		bt = next_type(b, bt);
	return bt;
}

const char *btf_string(const struct btf_image *b, uint32_t off)
{
	if (b->base && off < b->first_str)
		b = b->base;
	return off - b->first_str < b->strs_len ? b->strs + (off - b->first_str) : NULL;
}

/* ---- look-up by name ---- */

/* Goes through the types of a class in order. */
struct walk {
	const struct btf_image *b;
	enum btf_class klass;
	const struct btf_offsets *offsets;
	uint32_t at;		     /* in offsets */
	const struct btf_type *next; /* functions: the next type to look at */
};

static struct walk walk_class(const struct btf_image *b, enum btf_class klass)
{
	return (struct walk){b, klass, b->names[klass].first, 0, (const void *)b->types};
}

static const struct btf_type *walk_functions(struct walk *w)
{
	const char *end = w->b->types + w->b->types_len;

	while ((const char *)w->next < end) {
		const struct btf_type *bt = w->next;

		w->next = next_type(w->b, bt);
		if (btf_kind(bt) == BTF_KIND_FUNC)
			return bt;
	}
	return NULL;
}

/* The next one, NULL after the last. */
static inline const struct btf_type *walk_next(struct walk *w)
{
	if (w->klass == BTF_CLASS_FUNC)
		return walk_functions(w);
	if (w->offsets && w->at == w->offsets->n) {
		w->offsets = w->offsets->next;
		w->at = 0;
	}
	if (!w->offsets)
		return NULL;
	return (const void *)(w->b->types + w->offsets->off[w->at++]);
}

/* Returns the id of BT: the last mark not after it, and on from there. */
static uint32_t id_of(const struct btf_image *b, const struct btf_type *bt)
{
	uint32_t off = (const char *)bt - b->types;
	uint32_t lo = 0, hi = (b->ntypes - 1) / BTF_STRIDE, id;

	while (lo < hi) {
		uint32_t mid = hi - (hi - lo) / 2;

		if (b->marks[mid] <= off)
			lo = mid;
		else
			hi = mid - 1;
	}
	id = lo * BTF_STRIDE + b->first_id;
	for (const struct btf_type *p = (const void *)(b->types + b->marks[lo]); p < bt; id++)
		p = next_type(b, p);
	return id;
}

static const struct btf_type *scan_names(
	const struct btf_image *b, enum btf_class klass, const char *name)
{
	struct walk w = walk_class(b, klass);
	const struct btf_type *bt, *fwd = NULL;

	while ((bt = walk_next(&w))) {
		const char *s = name_of(b, bt);

		/* The first character saves most of the calls. */
		if (s[0] != name[0] || strcmp(s, name))
			continue;
		if (btf_kind(bt) != BTF_KIND_FWD)
			return bt;
		if (!fwd)
			fwd = bt;
	}
	return fwd;
}

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h ^ h >> 15;
}

static void hash_names(struct btf_image *b, enum btf_class klass)
{
	struct btf_names *names = &b->names[klass];
	struct walk w = walk_class(b, klass);
	const struct btf_type *bt;
	uint32_t n = 0, nslots = 64;

	while (walk_next(&w))
		n++;
	while (nslots < n + n / 2)
		nslots *= 2;
	names->slots = arena_new_array(b->arena, uint32_t, nslots);
	names->slot_mask = nslots - 1;
	w = walk_class(b, klass);
	while ((bt = walk_next(&w))) {
		uint32_t i = hash(name_of(b, bt)) & names->slot_mask;

		while (names->slots[i])
			i = (i + 1) & names->slot_mask;
		names->slots[i] = (uint32_t)((const char *)bt - b->types) + 1;
	}
}

static const struct btf_type *find_hashed(
	const struct btf_image *b, const struct btf_names *names, const char *name)
{
	const struct btf_type *fwd = NULL;

	for (uint32_t i = hash(name) & names->slot_mask; names->slots[i];
		i = (i + 1) & names->slot_mask) {
		const struct btf_type *bt = (const void *)(b->types + names->slots[i] - 1);

		if (strcmp(name_of(b, bt), name))
			continue;
		if (btf_kind(bt) != BTF_KIND_FWD)
			return bt;
		if (!fwd)
			fwd = bt;
	}
	return fwd;
}

uint32_t btf_find(struct btf_image *b, enum btf_class klass, const char *name)
{
	struct btf_names *names = &b->names[klass];
	const struct btf_type *bt;
	uintptr_t known;
	uint32_t id;

	if (!name[0])
		return 0;
	known = (uintptr_t)strmap_get(&names->found, name);
	if (known)
		return known - 1;
	if (!names->slots && names->scans++ == BTF_MAX_SCANS)
		hash_names(b, klass);
	bt = names->slots ? find_hashed(b, names, name) : scan_names(b, klass, name);
	id = bt ? id_of(b, bt) : 0;
	if (!names->slots)
		strmap_put(b->arena, &names->found, arena_strdup(b->arena, name),
			(void *)((uintptr_t)id + 1));
	return id;
}

void btf_each(const struct btf_image *b, enum btf_class klass, const char *prefix,
	void (*visit)(void *arg, const char *name), void *arg)
{
	struct walk w = walk_class(b, klass);
	const struct btf_type *bt;
	size_t len = strlen(prefix);

	while ((bt = walk_next(&w))) {
		const char *s = name_of(b, bt);

		if (*s && (!len || s[0] == prefix[0]) && !strncmp(s, prefix, len))
			visit(arg, s);
	}
}
