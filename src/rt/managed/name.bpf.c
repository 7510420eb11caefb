// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Keeps the names of managed functions, by ids that are hashes of what tells a function from all
 * others.  A name is read when the function is first met, and never changes.
 */
#include "abi/kernel.h"
#include "abi/managed.h"
#include "rt/managed/managed.h"
#include "rt/rt.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct dt_managed_proc);
	__uint(max_entries, 8192);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_managed SEC(".maps");

/* Sizes are nominal, the loader sets the real ones. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct managed_walk));
	__uint(max_entries, 1);
} dt_mwalks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct dt_name);
	__uint(max_entries, 32768); /* preallocated: many names may be new to one interrupt */
} dt_names SEC(".maps");

/* ---- memory ---- */

/* Reads VAR of the process; 0, or an error. */
#define USER_READ(var, addr) bpf_probe_read_user(&(var), sizeof(var), (const void *)(addr))

/* Returns OFF if eight bytes of a buffer of SIZE bytes are there, else 0. */
static inline ulong member_at(ulong off, ulong size)
{
	long at = rt_bounded(off, size - 8);

	return at < 0 ? 0 : (ulong)at;
}

/* The member of TYPE at offset OFF of what was read to BUFFER. */
#define MEMBER(type, buffer, off) (*(type *)((buffer) + member_at(off, sizeof(buffer))))

/* ---- ids ---- */

#define NAME_IDS 3 /* that a name can have: the first is another's only if the hashes are equal */

/* The finalizer of MurmurHash3, whose constants these are. */
static inline __u64 mix(__u64 h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdull;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53ull;
	return h ^ h >> 33;
}

static inline __u64 name_id(const struct dt_name *n, __u32 try)
{
	__u64 h = mix(n->key[0] + try);

	h = mix(h ^ n->key[1]);
	h = mix(h ^ n->key[2]);
	h = mix(h ^ n->key[3]);
	return DT_FRAME_ID(h) | 1;
}

static inline int same_key(const struct dt_name *a, const struct dt_name *b)
{
	return !((a->key[0] ^ b->key[0]) | (a->key[1] ^ b->key[1]) | (a->key[2] ^ b->key[2]) |
		(a->key[3] ^ b->key[3]));
}

/*
 * Returns the id of the name with M->name.key; 0: it is new.  Then M->id is the one that it can
 * have, and M->name.line the line where a known function begins.
 */
static __attribute__((noinline)) __u64 name_find(struct managed_walk *m)
{
	m->id = DT_NAME_UNKNOWN;
#pragma unroll
	for (__u32 i = 0; i < NAME_IDS; i++) {
		__u64 id = name_id(&m->name, i);
		const struct dt_name *n = bpf_map_lookup_elem(&dt_names, &id);

		if (!n) {
			m->id = id;
			return DT_NAME_UNKNOWN;
		}
		if (same_key(n, &m->name)) {
			m->name.line = n->line;
			return id;
		}
	}
	return DT_NAME_UNKNOWN;
}

#define EEXIST 17

/* Keeps M->name, which name_find() did not find; returns its id, or DT_NAME_UNKNOWN. */
static __attribute__((noinline)) __u64 name_keep(struct managed_walk *m)
{
	long err;

	if (m->id == DT_NAME_UNKNOWN)
		return DT_NAME_UNKNOWN;
	err = bpf_map_update_elem(&dt_names, &m->id, &m->name, BPF_NOEXIST);
	if (!err || err == -EEXIST) /* another CPU has just met the same function */
		return m->id;
	return DT_NAME_UNKNOWN;
}

/* Makes the frame whose name has this id; an unknown one is counted. */
static inline __u64 frame_word(__u64 id, __u32 lang, __u32 kind, __u32 line)
{
	if (line > DT_FRAME_LINE_MAX)
		line = 0;
	if (id == DT_NAME_UNKNOWN)
		count_drop(DT_DROP_NAME);
	return DT_FRAME_MANAGED | (__u64)lang << 60 | (__u64)kind << 57 |
		(__u64)line << DT_FRAME_ID_BITS | id;
}

/* ---- texts ---- */

static inline void text_byte(struct managed_walk *m, __u32 byte)
{
	__u64 at = m->at;

	RT_FORGET(at);
	if (at >= MANAGED_TEXT - 1)
		return;
	m->out[at] = (__u8)byte;
	m->at = (__u32)at + 1;
}

/* Adds a character in UTF-8, whole or not at all. */
static __always_inline int text_char(struct managed_walk *m, __u32 c)
{
	__u32 more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	if (m->at + more >= MANAGED_TEXT - 1) {
		m->cut = 1;
		return 1;
	}
	if (!more) {
		text_byte(m, c);
		return 0;
	}
	text_byte(m, (0xff00 >> (more + 1) & 0xff) | c >> 6 * more);
	if (more == 3)
		text_byte(m, 0x80 | (c >> 12 & 0x3f));
	if (more >= 2)
		text_byte(m, 0x80 | (c >> 6 & 0x3f));
	text_byte(m, 0x80 | (c & 0x3f));
	return 0;
}

/* Converts character I of M->in. */
static long convert_char(__u32 i, struct walker *c)
{
	struct managed_walk *m = c->m;
	__u64 at = (__u64)i * m->width;
	__u32 ch;

	RT_FORGET(at);
	if (at > sizeof(m->in) - 4)
		return 1;
	ch = m->in[at];
	if (m->width > 1)
		ch |= (__u32)m->in[at + 1] << 8;
	if (m->width > 2)
		ch |= (__u32)m->in[at + 2] << 16 | (__u32)m->in[at + 3] << 24;
	if (ch > 0x10ffff) { /* not a character: nor is the rest a name */
		m->width = 0;
		return 1;
	}
	if (m->width == 2 && (ch & 0xfc00) == 0xd800) {
		m->high = ch;
		return 0;
	}
	if (m->high && (ch & 0xfc00) == 0xdc00)
		ch = 0x10000 + ((m->high & 0x3ff) << 10) + (ch & 0x3ff);
	m->high = 0;
	return text_char(m, ch);
}

static inline void text_begin(struct managed_walk *m)
{
	m->at = m->high = m->cut = 0;
}

static inline void text_end(struct managed_walk *m)
{
	m->out[m->at < MANAGED_TEXT ? m->at : MANAGED_TEXT - 1] = 0;
}

/*
 * Adds LEN characters of WIDTH bytes at ADDR, in UTF-8, to M->out: 0, or -1: they are none.  After
 * one that did not fit no more are added: a shorter one might fit.
 */
static __always_inline int text_add(struct walker *c, __u64 addr, __u32 len, __u32 width)
{
	struct managed_walk *m = c->m;
	long size;

	if (m->cut)
		return 0;
	m->width = width;
	if (len > MANAGED_TEXT - 1) {
		len = MANAGED_TEXT - 1;
		m->cut = 1;
	}
	size = rt_bounded((ulong)len * width, sizeof(m->in));
	if (size < 0 || bpf_probe_read_user(m->in, (__u32)size, (void *)addr))
		return -1;
	bpf_loop(len, convert_char, c, 0);
	return m->width ? 0 : -1;
}

/*
 * Reads LEN characters of WIDTH bytes (1: Latin-1, 2: UTF-16, 4: UTF-32) at ADDR to M->out, as
 * UTF-8 that ends in a NUL; what is too long is cut at its end: 1.  Else 0, or -1: they cannot be
 * read.
 */
static __attribute__((noinline)) int text_read(struct walker *c, __u64 addr, __u32 len, __u32 width)
{
	text_begin(c->m);
	if (text_add(c, addr, len, width))
		return -1;
	text_end(c->m);
	return c->m->cut != 0;
}

/* ---- texts that are kept as they are ---- */

/* Takes the part of a character in UTF-8 away that is the end of M->out. */
static inline void text_trim(struct managed_walk *m)
{
	__u64 at = m->at, more = 0;

#pragma unroll
	for (int i = 0; i < 3; i++) {
		__u64 last = at - 1 - more;

		RT_FORGET(last);
		if (last < MANAGED_TEXT && (m->out[last] & 0xc0) == 0x80)
			more++;
	}
	at -= more + 1;
	RT_FORGET(at);
	if (at >= MANAGED_TEXT || m->out[at] < 0xc0)
		return;
	if (more < (m->out[at] >= 0xf0 ? 3 : m->out[at] >= 0xe0 ? 2 : 1))
		m->at = (__u32)at;
}

/*
 * Adds LEN bytes at ADDR to M->out, up to a NUL, as text_add() adds characters.  What does not fit
 * is cut between characters of UTF-8.
 */
static __attribute__((noinline)) int text_bytes(struct walker *c, __u64 addr, __u64 len)
{
	struct managed_walk *m = c->m;
	__u64 at = m->at, room;
	long n;

	RT_FORGET(at);
	if (m->cut || at >= MANAGED_TEXT)
		return 0;
	room = MANAGED_TEXT - 1 - at;
	/* with the NUL that this ends with */
	n = rt_bounded((len < room ? len : room) + 1, MANAGED_TEXT);
	if (n < 0)
		return -1;
	n = bpf_probe_read_user_str(m->out + at, (__u32)n, (void *)addr);
	if (n < 0)
		return -1;
	m->at = (__u32)(at + (n ? n - 1 : 0));
	m->cut = len > room && m->at == MANAGED_TEXT - 1;
	if (m->cut)
		text_trim(m);
	return 0;
}

/* Reads the last of LEN bytes at ADDR that fit to M->out, from the beginning of a character on. */
static __always_inline int text_path(struct walker *c, __u64 addr, __u64 len)
{
	__u32 head;

	text_begin(c->m);
	if (len > MANAGED_TEXT - 1) {
		addr += len - (MANAGED_TEXT - 1);
		len = MANAGED_TEXT - 1;
		if (USER_READ(head, addr))
			return -1;
#pragma unroll
		for (int i = 0; i < 3; i++) {
			if ((head & 0xc0) != 0x80)
				break;
			head >>= 8;
			addr++;
			len--;
		}
	}
	if (text_bytes(c, addr, len))
		return -1;
	text_end(c->m);
	return 0;
}
