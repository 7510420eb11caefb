// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Reads V8's objects: strings, functions and their names, the tables of positions, lines.
 *
 * Objects move: what is read is read now, by the types in their maps.  An object that a collection
 * has just moved has its new address where its map was.
 */
#include "abi/managed.h"
#include "rt/managed/managed.h"
#include "rt/managed/v8.h"
#include "rt/rt.h"

/* ---- objects ---- */

/*
 * What is called from many places is in global functions, which the verifier goes through once.
 * They look up for themselves what their callers have.
 */

struct v8_walker {
	struct v8_walk *p;
	const struct dt_v8 *v;
};

static __always_inline int v8_look_up(struct v8_walker *x, ulong slot)
{
	__u32 key = (__u32)slot;
	struct managed_walk *m = bpf_map_lookup_elem(&dt_mwalks, &key);

	if (!m)
		return -1;
	x->p = (struct v8_walk *)m->state;
	x->v = &m->proc.v8;
	return 0;
}

/* Returns the type of OBJ, whose address becomes P->base; -1: it is none. */
ulong dt_v8_type(ulong slot, ulong obj)
{
	struct v8_walker x;
	struct v8_walk *p;
	__u16 type = 0;

	if (v8_look_up(&x, slot))
		return -1;
	p = x.p;
	p->base = obj - 1;
	if (!V8_TAGGED(obj) || V8READ(p->map, p->base))
		return -1;
	if (!(p->map & 7)) {
		p->base = p->map;
		if (V8READ(p->map, p->base))
			return -1;
	}
	if (!V8_TAGGED(p->map) || V8READ(p->temp, p->map - 1) || !V8_TAGGED(p->temp) ||
		V8READ(type, p->temp - 1 + V8_MAP_TYPE) || type != x.v->type_map ||
		V8READ(type, p->map - 1 + V8_MAP_TYPE))
		return -1;
	return type;
}

static inline int v8_type(struct walker *c, __u64 obj)
{
	return (int)dt_v8_type(c->m->slot, obj);
}

/*
 * Finds the characters of the string OBJ: 0; 1: it has two parts, in P->temp and P->temp2; -1: they
 * cannot be read.
 */
ulong dt_v8_string(ulong slot, ulong obj)
{
	__u32 skip = 0, sliced = 0, length = 0;
	struct v8_walker x;
	struct v8_walk *p;

	if (v8_look_up(&x, slot))
		return -1;
	p = x.p;
#pragma unroll
	for (int hop = 0; hop < 4; hop++) {
		int type = (int)dt_v8_type(slot, obj);

		if (type < 0 || type >= V8_FIRST_NON_NAME ||
			V8READ(p->length, p->base + V8_STRING_LENGTH) || p->length >= 1u << 30)
			return -1;
		if (!sliced)
			length = p->length;
		p->width = type & V8_ONE_BYTE ? 1 : 2;
		p->chars = p->base + V8_STRING_CHARS;
		switch (type & 7) {
		case V8_SEQ:
			break;
		case V8_EXTERNAL:
			if (type & V8_UNCACHED || V8READ(p->chars, p->base + V8_STRING_SECOND))
				return -1;
			break;
		case V8_CONS:
			if (V8READ(p->temp, p->base + V8_STRING_CHARS) ||
				V8READ(p->temp2, p->base + V8_STRING_SECOND))
				return -1;
			if (!V8_TAGGED(p->temp2) || V8READ(p->left, p->temp2 - 1 + V8_STRING_HASH))
				return -1;
			if (p->left >> 32) /* the length of the second part */
				return sliced ? -1 : 1;
			obj = p->temp;
			continue;
		case V8_SLICED:
			if (V8READ(p->temp, p->base + V8_STRING_SECOND) || !V8_IS_SMI(p->temp))
				return -1;
			skip += V8_SMI(p->temp);
			sliced = 1;
			/* fall through */
		case V8_THIN:
			if (V8READ(p->temp, p->base + V8_STRING_CHARS))
				return -1;
			obj = p->temp;
			continue;
		default:
			return -1;
		}
		if ((__u64)skip + length > p->length)
			return -1;
		p->length = length;
		p->chars += (__u64)skip * p->width;
		return 0;
	}
	return -1;
}

static inline int v8_string(struct walker *c, __u64 obj)
{
	return (int)dt_v8_string(c->m->slot, obj);
}

/* Reads P->string to M->out, or if TAIL its end if it is too long: 0, or -1. */
static __attribute__((noinline)) int v8_text(struct walker *c, __u32 tail)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	struct managed_walk *m = c->m;

	text_begin(m);
	p->stack[0] = p->string;
	p->top = 1;
#pragma unroll
	for (int i = 0; i < V8_PIECES; i++) {
		__u32 top = p->top;
		int more;

		if (!top)
			break;
		top--;
		more = v8_string(c, p->stack[top & 15]);
		if (more < 0)
			return -1;
		if (more) {
			p->stack[top & 15] = p->temp2;
			p->stack[(top + 1) & 15] = p->temp;
			p->top = top + 2;
			continue;
		}
		p->top = top;
		if (tail && p->length > MANAGED_TEXT - 1) {
			p->chars += (__u64)(p->length - (MANAGED_TEXT - 1)) * p->width;
			p->length = MANAGED_TEXT - 1;
		}
		if (text_add(c, p->chars, p->length, p->width))
			return -1;
	}
	text_end(m);
	return p->top ? -1 : 0;
}

/* ---- lines ---- */

/* Counts the newlines in the next 64 bytes of the source. */
static long v8_newlines(__u32 i, struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u64 ones = p->width == 1 ? 0x0101010101010101ull : 0x0001000100010001ull;
	__u32 bits = p->width * 8;
	__u64 high = ones << (bits - 1);
	long size = p->left < sizeof(p->chunk) ? (long)p->left : (long)sizeof(p->chunk);

	if (size <= 0)
		return 1;
	__builtin_memset(p->chunk, 0, sizeof(p->chunk));
	size = rt_bounded((ulong)size, sizeof(p->chunk));
	if (size < 0 || bpf_probe_read_user(p->chunk, (__u32)size, (void *)p->chars)) {
		p->newlines = ~0u;
		return 1;
	}
#pragma unroll
	for (int k = 0; k < 8; k++) {
		__u64 x = p->chunk[k] ^ ones * '\n';
		__u64 other = ((x & ~high) + ~high) | x;

		p->newlines += (__u32)(((~other & high) >> (bits - 1)) * ones >> (64 - bits));
	}
	p->chars += (__u64)size;
	p->left -= (__u64)size;
	return 0;
}

#define V8_MOST_SOURCE (1u << 19) /* bytes of the source that are counted */

/* Returns how many newlines the source has from FROM up to TO; ~0: it cannot be read. */
static __attribute__((noinline)) __u32 v8_lines(struct walker *c, __u32 from, __u32 to)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;

	p->newlines = 0;
	if (v8_string(c, p->source) || to > p->length || from > to)
		return ~0u;
	p->left = (__u64)(to - from) * p->width;
	p->chars += (__u64)from * p->width;
	if (p->left > V8_MOST_SOURCE)
		return ~0u;
	bpf_loop(V8_MOST_SOURCE / sizeof(p->chunk) + 1, v8_newlines, c, 0);
	return p->newlines;
}

/* A position in a table: what V8's SourcePosition keeps. */
static inline __u32 position_offset(__u64 pos)
{
	return pos & 1 ? ~0u : (__u32)(pos >> 1 & 0x3fffffff) - 1;
}

static inline __u32 position_inlined(__u64 pos)
{
	return (__u32)(pos >> 31 & 0xffff) - 1;
}

/*
 * One byte of a table of positions: pairs of numbers, in groups of 7 bits, the lowest bit of a
 * number is its sign.  The first is where code begins, from the last such, and below 0 if no
 * statement begins there; the second its position, from the last one.
 */
static long v8_table_byte(__u32 i, struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__s64 n;
	__u32 b;

	if (!(i & 7)) {
		p->run = 0;
		if (p->table >= p->table_end || V8READ(p->run, p->table))
			return 1;
		p->table += sizeof(p->run);
	}
	if (p->table - 8 + (i & 7) >= p->table_end)
		return 1;
	b = p->run & 0xff;
	p->run >>= 8;
	p->value |= (__u64)(b & 0x7f) << (p->shift & 63);
	p->shift += 7;
	if (b & 0x80)
		return 0;
	n = (__s64)(p->value >> 1) ^ -(__s64)(p->value & 1);
	p->value = p->shift = 0;
	if (!p->second) {
		p->at += n < 0 ? -(n + 1) : n;
		p->second = 1;
		return p->at > (__s64)p->target;
	}
	p->at_pos += n;
	p->second = 0;
	p->pos = (__u64)p->at_pos;
	p->found = 1;
	return 0;
}

#define V8_MOST_TABLE (1u << 16)

/* Sets P->pos to the position at P->target, by the table OBJ: 0, or -1: it does not say. */
static __attribute__((noinline)) int v8_position(struct walker *c, __u64 obj)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	int type = v8_type(c, obj);

	if (type < 0 || (type != v->type_byte_array && type != v->type_trusted_byte_array) ||
		V8READ(p->temp, p->base + V8_LENGTH) || !V8_IS_SMI(p->temp))
		return -1;
	p->table = p->base + V8_ELEMENTS;
	p->table_end = p->table + V8_SMI(p->temp);
	p->value = p->run = p->at_pos = 0;
	p->at = -1; /* the entry of the function, before its first instruction */
	p->shift = p->second = p->found = 0;
	bpf_loop(V8_MOST_TABLE, v8_table_byte, c, 0);
	return p->found ? 0 : -1;
}

/* ---- functions ---- */

/* Reads the SharedFunctionInfo at P->shared, and its script's id: 0, or -1. */
static __always_inline int v8_read_sfi(struct v8_walk *p, const struct dt_v8 *v)
{
	struct v8_met_script *met;

	p->script_id = 0;
	if (!V8_TAGGED(p->shared) || V8READ(p->sfi, p->shared - 1))
		return -1;
	p->script = p->sfi[v->sfi_script / 8 % V8_SFI_WORDS];
	met = &p->met_script[(p->script >> 3 ^ p->script >> 8) % V8_SCRIPTS];
	if (met->walk == p->walk && met->script == p->script) {
		p->script_id = met->id;
		return 0;
	}
	if (!V8_TAGGED(p->script) || V8READ(p->script_id, p->script - 1 + v->script_id))
		return -1;
	met->walk = p->walk;
	met->script = p->script;
	met->id = p->script_id;
	return 0;
}

/* Finds out where the name is in the ScopeInfo at P->base: 0, or -1. */
static __always_inline int v8_scope(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 at = p->base + V8_SCOPE_REST, locals;

	if (V8READ(p->temp, p->base + V8_SCOPE_FLAGS) ||
		V8READ(locals, p->base + V8_SCOPE_LOCALS) || !V8_IS_SMI(locals))
		return -1;
	p->flags = p->temp & 0xffffffff ? (__u32)p->temp : V8_SMI(p->temp);
	if (v->scope_position_first) {
		if (V8READ(p->temp, at) || !V8_IS_SMI(p->temp))
			return -1;
		p->start = V8_SMI(p->temp);
		at += 16;
	}
	locals = V8_SMI(locals);
	if ((p->flags & V8_SCOPE_TYPE) == v->scope_module)
		at += 8;
	at += locals < V8_INLINE_NAMES ? 16 * locals : 8 + 8 * locals;
	if (p->flags & V8_SCOPE_BRAND)
		at += 8;
	if (p->flags & V8_SCOPE_NAME) {
		if (V8READ(p->name, at))
			return -1;
		at += 16;
	}
	if (p->flags & V8_SCOPE_INFERRED) {
		if (V8READ(p->inferred, at))
			return -1;
		at += 8;
	}
	if (!v->scope_position_first && !V8READ(p->temp, at) && V8_IS_SMI(p->temp))
		p->start = V8_SMI(p->temp);
	return 0;
}

/* 1: OBJ is a string that is not empty, and P->temp2 its hash; 0: there is none; -1: who knows. */
static __attribute__((noinline)) int v8_is_name(struct walker *c, __u64 obj)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	int type = V8_IS_SMI(obj) ? c->proc->v8.type_oddball : v8_type(c, obj);

	if (type == c->proc->v8.type_oddball) /* undefined */
		return 0;
	if (type < 0 || type >= V8_FIRST_NON_NAME || V8READ(p->temp2, p->base + V8_STRING_HASH))
		return -1;
	if (!(p->temp2 >> 32))
		return 0;
	if (type & V8_NOT_INTERNED) /* the hash may be computed later */
		p->temp2 &= ~0xffffffffull;
	return 1;
}

/* Finds out what names the function P->shared: 0, or -1. */
static __attribute__((noinline)) int v8_describe(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 scope;
	int type;

	p->name = p->inferred = p->script_name = p->source = 0;
	p->start = ~0u;
	p->line_offset = 0;
	if (v8_type(c, p->shared) != v->type_sfi)
		return -1;
	p->shared = p->base + 1;
	if (v8_read_sfi(p, v))
		return -1;
	scope = p->sfi[v->sfi_scope / 8 % V8_SFI_WORDS];
	type = V8_IS_SMI(scope) ? -2 : v8_type(c, scope);
	if (type == v->type_scope_info) {
		if (v8_scope(c))
			return -1;
	} else if (type >= 0 && type < V8_FIRST_NON_NAME) {
		p->name = scope;
	} else if (type != -2) {
		return -1;
	}
	type = v8_type(c, p->script);
	p->script_id = 0;
	if (type != v->type_script) /* a builtin function, or one of the program that embeds V8 */
		return type < 0 ? -1 : 0;
	if (V8READ(p->source, p->base + v->script_source) ||
		V8READ(p->script_name, p->base + v->script_name) ||
		V8READ(p->temp, p->base + V8_SCRIPT_LINE) ||
		V8READ(p->script_id, p->base + v->script_id) || !V8_IS_SMI(p->script_id))
		return -1;
	p->line_offset = V8_SMI(p->temp);
	return 0;
}

/* Fills M->name of the function that v8_describe() has found: 0, or -1. */
static __always_inline int v8_read_name(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	struct managed_walk *m = c->m;
	__u32 lines;

	m->name.line = 0;
	m->name.file[0] = 0;
	if (p->name) {
		p->string = p->name;
		if (v8_text(c, 0))
			return -1;
		__builtin_memcpy(m->name.function, m->out, MANAGED_TEXT);
	} else {
		*(__u64 *)m->name.function = 0x6d796e6f6e613cull; /* "<anonym" without a section */
		*(__u64 *)(m->name.function + 7) = 0x3e73756full; /* "ous>" */
	}
	if (!p->script_id)
		return 0;
	if (v8_is_name(c, p->script_name) > 0) {
		p->string = p->script_name;
		if (v8_text(c, 1))
			return -1;
		__builtin_memcpy(m->name.file, m->out, MANAGED_TEXT);
	}
	lines = p->start == ~0u ? ~0u : v8_lines(c, 0, p->start);
	if (lines != ~0u)
		m->name.line = lines + 1 + p->line_offset;
	return 0;
}

/* Returns the id of the function P->shared. */
static __always_inline __u64 v8_name(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	struct managed_walk *m = c->m;
	__u64 hash = 0, id;
	int named;

	if (v8_describe(c))
		return DT_NAME_UNKNOWN;
	named = v8_is_name(c, p->name);
	if (!named) {
		p->name = p->inferred;
		named = v8_is_name(c, p->name);
	}
	if (named < 0)
		return DT_NAME_UNKNOWN;
	if (named)
		hash = p->temp2;
	else
		p->name = 0;
	m->name.key[0] = (__u64)c->w->tgid << 32 | V8_SMI(p->script_id);
	m->name.key[1] = p->sfi[v->sfi_literal_id / 8 % V8_SFI_WORDS] >> 32 << 32 | p->start;
	m->name.key[2] = hash;
	m->name.key[3] = p->sfi[v->sfi_length / 8 % V8_SFI_WORDS];
	if (!p->script_id) /* the number of the builtin */
		m->name.key[3] ^= p->sfi[v->sfi_data / 8 % V8_SFI_WORDS];
	else if (!v8_string(c, p->source))
		m->name.key[3] += (__u64)p->length << 16;
	m->name.pad = 0;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	if (v8_read_name(c))
		return DT_NAME_UNKNOWN;
	return name_keep(m);
}

/* Returns the word for function P->shared at P->position. */
static __always_inline __u64 v8_word(struct walker *c, __u32 kind)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u64 id = v8_name(c), word;
	__u32 line = c->m->name.line, lines = ~0u, pos = RT_KEPT(p->position);

	if (id == DT_NAME_UNKNOWN)
		return frame_word(id, DT_LANG_V8, kind, 0);
	if (!p->script_id)
		return frame_word(id, DT_LANG_V8, DT_KIND_NATIVE, 0);
	if (line && pos != ~0u && pos >= p->start)
		lines = v8_lines(c, p->start, pos);
	if (line && lines != ~0u)
		return frame_word(id, DT_LANG_V8, kind, line + lines);
	word = frame_word(id, DT_LANG_V8, kind, line);
	return DT_FRAME_LINE(word) ? word | DT_FRAME_FIRST_LINE : word;
}
