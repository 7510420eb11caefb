// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Names the methods of HotSpot, the Java VM of OpenJDK, and finds their lines; and what the walk of
 * its frames (managed_java.bpf.c) keeps.
 */
#include "abi/managed.h"
#include "rt/managed/managed.h"
#include "rt/rt.h"

#define JAVA_HEAPS     3   /* of code: profiled, other methods, no methods */
#define JAVA_HOPS      256 /* to the first segment of a blob */
#define JAVA_FRAME_MAX (1u << 20)
#define JAVA_BLOB_SIZE 112 /* of a blob without code, at least */

/* The name of a blob, its first eight characters. */
#define NAME_NMETHOD 0x00646f6874656d6eull /* nmethod */
#define NAME_NATIVE  0x6e2065766974616eull /* native nmethod */
#define NAME_ADAPTER 0x204932432f433249ull /* I2C/C2I adapters */

/* Words of an interpreted frame, from the pointer to the bytecode up. */
enum { SLOT_BCP = 0, SLOT_METHOD = 5, SLOT_SENDER_SP = 7, SLOT_BP = 8, SLOT_RETURN = 9, SLOTS };

#define SLOT_BYTES_BELOW_BP 64

#define CACHED_SCOPES	  128
#define CACHED_FRAMES	  5
#define CACHED_JAVA_LINES 512

struct java_heap {
	__u64 low, size, segments;
	__u32 shift, pad;
};

#define SEEN_METHODS 64

/* The frames at a pc: a compilation has a number of its own. */
struct java_scopes {
	__u64 pc, owner;
	__u64 block, name; /* where the code is, and its blob's name */
	__u32 compilation, n;
	__u64 word[CACHED_FRAMES];
};

struct java_line {
	__u64 id;
	__u32 bci, line;
};

/* What is known of a method that is on the stack: it stays there as long as the walk takes. */
struct java_seen {
	__u64 method, walk;
	__u64 id, const_method, lines;
	__u32 code_size, pad;
};

#define SEEN_POOLS 32

/* The same of a class with this pool of constants. */
struct java_seen_pool {
	__u64 constants, walk;
	__u64 holder, klass_name, head;
	__u32 length, pad;
};

/* A HeapBlock and the blob in it. */
struct java_block {
	__u64 length, used;
	__u8 blob[512];
};

enum { JAVA_NO_SCOPES, JAVA_DECODE, JAVA_REPLAY };

struct java_walk {
	__u64 owner; /* the memory whose code cache this is */
	__u64 array, n;
	struct java_heap heap[JAVA_HEAPS];
	__u64 low, size; /* of all */
	__u64 interpreter, interpreter_size;
	/* the frame: */
	__u64 blob, pc, blob_name;
	__u64 caller_ip, caller_sp, caller_bp;
	__u64 segments, segment;
	__u32 found;
	__u32 leaf; /* pc is the next instruction, which may be anywhere in the code */
	/* its scopes: */
	__u32 scopes; /* JAVA_DECODE .. */
	__u32 at;     /* how many of them were shown */
	__u32 scope, kind;
	__u64 first, last; /* of the descriptions of pcs, where the search is */
	__s32 target, desc_pc;
	/* the method: */
	__u64 method, constants, const_method, holder, klass_name;
	__u64 head; /* of its class's name */
	__u64 name; /* a symbol */
	__u32 code_size, length, pool_length;
	__u64 id;    /* of its name */
	__u64 lines; /* of its table that are left; 0: none */
	__s32 bci, line_bci, line, best_bci, best;
	__u32 at_text;
	__u64 slot[SLOTS];
	__u32 at_in, last_in; /* where the next number is in IN; the last place of an entry */
	__u8 code[32], in[32];
	__u8 constant_method[64], pool[128];
	struct java_block block;
	__u64 word[CACHED_FRAMES];
	struct java_line line_cache[CACHED_JAVA_LINES];
	struct java_scopes cache[CACHED_SCOPES];
	__u64 walk; /* when this one began */
	struct java_seen seen[SEEN_METHODS];
	struct java_seen_pool seen_pool[SEEN_POOLS];
};

_Static_assert(sizeof(struct java_walk) <= MANAGED_STATE, "it is kept there");

#define JREAD(var, addr) bpf_probe_read_user(&(var), sizeof(var), (const void *)(addr))
#define JAVA_WALK(c)	 ((struct java_walk *)(c)->m->state)

/* Members of a structure that was copied to B. */
#define J64(b, off) (*(__u64 *)((b) + ((off) & (sizeof(b) - 8))))
#define J32(b, off) (*(__u32 *)((b) + ((off) & (sizeof(b) - 4))))
#define J16(b, off) (*(__u16 *)((b) + ((off) & (sizeof(b) - 2))))

/* ---- names ---- */

/* Adds character I of the text in M->in to the name: of a class as Java writes it. */
static long java_class_char(__u32 i, struct walker *c)
{
	struct managed_walk *m = c->m;
	struct java_walk *p = JAVA_WALK(c);
	__u64 from = i, to = p->at_text;
	__u8 ch;

	RT_FORGET(from);
	RT_FORGET(to);
	if (from >= MANAGED_TEXT || to >= MANAGED_TEXT - 1)
		return 1;
	ch = m->in[from];
	/* a hidden class has an address at its end */
	m->name.function[to] = ch == '/' ? '.' : ch == '+' ? '/' : (char)ch;
	p->at_text = (__u32)to + 1;
	return 0;
}

static long java_char(__u32 i, struct walker *c)
{
	struct managed_walk *m = c->m;
	struct java_walk *p = JAVA_WALK(c);
	__u64 from = i, to = p->at_text;

	RT_FORGET(from);
	RT_FORGET(to);
	if (from >= MANAGED_TEXT || to >= MANAGED_TEXT - 1)
		return 1;
	m->name.function[to] = (char)m->in[from];
	p->at_text = (__u32)to + 1;
	return 0;
}

/* Reads the symbol P->name to M->in, P->length characters: MOST of them, the LAST or the first. */
static __always_inline int java_symbol(struct walker *c, __u32 most, int last)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 from = p->name + j->symbol_body;
	__u16 length;
	long size;

	if (!p->name || JREAD(length, p->name + j->symbol_length) || !length)
		return -1;
	p->length = length;
	if (length > most) {
		from += last ? length - most : 0;
		p->length = most;
	}
	size = rt_bounded(p->length, MANAGED_TEXT);
	return size < 0 || bpf_probe_read_user(c->m->in, (__u32)size, (void *)from) ? -1 : 0;
}

/* Reads pool entry INDEX, which must be text, to P->name. */
static __always_inline int java_pool_symbol(struct walker *c, __u32 index)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 tags = J64(p->pool, j->pool_tags);
	__u32 length = J32(p->pool, j->pool_length);
	__u8 tag;

	if (!index || index >= length || JREAD(tag, tags + j->array_u1_data + index) || tag != 1)
		return -1;
	return JREAD(p->name, p->constants + j->pool_size + 8ull * index) ? -1 : 0;
}

/* The method's own name comes last, so a long name of a class loses its beginning. */
#define CLASS_MOST (MANAGED_TEXT - 48)

/* Reads the texts of the name whose key is new. */
static __attribute__((noinline)) int java_read_name(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	struct managed_walk *m = c->m;
	__u64 back, at;

	/* a class has a pool that has the class; a method handle's method has a pool of its own */
	if (JREAD(p->pool, p->constants) || JREAD(back, p->holder + j->klass_constants) ||
		JREAD(back, back + j->pool_holder) || back != p->holder)
		return -1;
	__builtin_memset(m->name.function, 0, sizeof(m->name.function));
	__builtin_memset(m->name.file, 0, sizeof(m->name.file));
	p->name = p->klass_name;
	p->at_text = 0;
	if (java_symbol(c, CLASS_MOST, 1))
		return -1;
	bpf_loop(p->length, java_class_char, c, 0);
	at = p->at_text;
	RT_FORGET(at);
	if (at >= MANAGED_TEXT)
		return -1;
	m->name.function[at] = '.';
	p->at_text = (__u32)at + 1;
	if (java_pool_symbol(c, J16(p->constant_method, j->const_name)) ||
		java_symbol(c, MANAGED_TEXT - 1, 0))
		return -1;
	bpf_loop(p->length, java_char, c, 0);
	if (java_pool_symbol(c, J16(p->pool, j->pool_source)) ||
		java_symbol(c, MANAGED_TEXT - 1, 1))
		return 0; /* the class does not say */
	__builtin_memcpy(m->name.file, m->in, MANAGED_TEXT);
	at = p->length;
	RT_FORGET(at);
	if (at >= MANAGED_TEXT)
		return -1;
	m->name.file[at] = 0;
	return 0;
}

/* Reads what tells the class with the pool P->constants from others: 0, or -1. */
static __always_inline int java_class(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	struct java_seen_pool *seen =
		&p->seen_pool[(p->constants >> 3 ^ p->constants >> 9) % SEEN_POOLS];

	if (seen->walk == p->walk && seen->constants == p->constants) {
		p->holder = seen->holder;
		p->klass_name = seen->klass_name;
		p->head = seen->head;
		p->pool_length = seen->length;
		return 0;
	}
	if (JREAD(p->pool, p->constants))
		return -1;
	p->holder = J64(p->pool, j->pool_holder);
	p->pool_length = J32(p->pool, j->pool_length);
	if (JREAD(p->klass_name, p->holder + j->klass_name) || JREAD(p->head, p->klass_name))
		return -1;
	seen->walk = p->walk;
	seen->constants = p->constants;
	seen->holder = p->holder;
	seen->klass_name = p->klass_name;
	seen->head = p->head;
	seen->length = p->pool_length;
	return 0;
}

/* Reads what tells P->method from others. */
static __always_inline int java_method(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u32 index;

	p->code_size = 0;
	if (p->method & 7 || JREAD(p->const_method, p->method + j->method_const) ||
		JREAD(p->constant_method, p->const_method))
		return -1;
	p->constants = J64(p->constant_method, j->const_constants);
	index = J16(p->constant_method, j->const_name);
	if (java_class(c) || index >= p->pool_length ||
		JREAD(p->name, p->constants + j->pool_size + 8ull * index))
		return -1;
	p->code_size = J16(p->constant_method, j->const_code_size);
	p->lines = 0;
	if (J16(p->constant_method, j->const_flags) & j->has_lines)
		p->lines = p->const_method + j->const_size + p->code_size;
	return 0;
}

/* Returns the id of the name of P->method, which this walk has not met. */
static __always_inline __u64 java_new_name(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	struct managed_walk *m = c->m;
	__u64 id;

	if (java_method(c))
		return DT_NAME_UNKNOWN;
	/* a symbol's head has a random number, its length and first characters */
	m->name.key[0] = (__u64)c->w->tgid << 32 | p->code_size << 16 |
		J16(p->constant_method, j->const_name);
	m->name.key[1] = p->const_method;
	m->name.key[2] = p->name ^ p->constants << 16;
	m->name.key[3] = p->klass_name ^ (p->head & ~0xffffull) * 0x9e3779b97f4a7c15ull;
	m->name.line = m->name.pad = 0;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	if (java_read_name(c))
		return DT_NAME_UNKNOWN;
	return name_keep(m);
}

/* Returns the id of the name of P->method. */
static __attribute__((noinline)) __u64 java_name(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	struct java_seen *seen = &p->seen[(p->method >> 3 ^ p->method >> 9) % SEEN_METHODS];
	__u64 id;

	if (seen->walk == p->walk && seen->method == p->method) {
		p->const_method = seen->const_method;
		p->lines = seen->lines;
		p->code_size = seen->code_size;
		return seen->id;
	}
	id = java_new_name(c);
	if (id == DT_NAME_UNKNOWN)
		return id;
	seen->walk = p->walk;
	seen->method = p->method;
	seen->id = id;
	seen->const_method = p->const_method;
	seen->lines = p->lines;
	seen->code_size = p->code_size;
	return id;
}

/* Returns the id of the name of a stub. */
static __attribute__((noinline)) __u64 java_stub_name(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	struct managed_walk *m = c->m;
	__u64 id, text = J64(p->block.blob, j->blob_name);

	m->name.key[0] = (__u64)c->w->tgid << 32;
	m->name.key[1] = p->blob;
	m->name.key[2] = text;
	m->name.key[3] = p->block.length;
	m->name.line = m->name.pad = 0;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	__builtin_memset(m->name.function, 0, sizeof(m->name.function));
	__builtin_memset(m->name.file, 0, sizeof(m->name.file));
	if (bpf_probe_read_user_str(m->name.function, sizeof(m->name.function), (void *)text) <= 1)
		return DT_NAME_UNKNOWN;
	return name_keep(m);
}

/* ---- compressed numbers, and lines ---- */

/*
 * Reads a number of Java 17's UNSIGNED5 at P->at_in of P->in: up to five bytes, six bits each above
 * the last; one below 192 is the last.  Has no branches: three of these are read in a row.
 */
static __attribute__((noinline)) __u32 java_number(struct java_walk *p)
{
	__u32 sum = 0, more = 1, at = p->at_in;

#pragma unroll
	for (__u32 i = 0; i < 5; i++) {
		__u32 byte = p->in[at & 31], high;

		sum += more * (byte << 6 * i);
		at += more;
		high = byte + 64;
		RT_FORGET(high);
		more &= high >> 8;
	}
	p->at_in = at;
	return sum;
}

static inline __s32 java_signed(__u32 n)
{
	return (__s32)(n >> 1) ^ -(__s32)(n & 1);
}

#define JAVA_ENTRY_MOST 12 /* bytes of an entry of a table of lines */

/* Reads what follows in the table: many entries, or one where the mapping ends; 0, or -1. */
static __always_inline int java_fill_lines(struct java_walk *p)
{
	p->lines += p->at_in;
	p->at_in = 0;
	p->last_in = sizeof(p->in) - JAVA_ENTRY_MOST;
	if (!JREAD(p->in, p->lines))
		return 0;
	p->last_in = 0;
	return bpf_probe_read_user(p->in, JAVA_ENTRY_MOST, (void *)p->lines) ? -1 : 0;
}

/* Goes on in a table of lines by one entry. */
static long java_line_entry(__u32 i, struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u8 head;

	if (p->at_in > p->last_in && java_fill_lines(p)) {
		p->best = 0;
		return 1;
	}
	head = p->in[p->at_in & 31];
	if (!head)
		return 1;
	p->at_in++;
	if (head == 0xff) { /* two numbers follow */
		p->line_bci += java_signed(java_number(p));
		p->line += java_signed(java_number(p));
	} else {
		p->line_bci += head >> 3;
		p->line += head & 7;
	}
	if (p->line_bci <= p->bci && p->line_bci >= p->best_bci) {
		p->best_bci = p->line_bci;
		p->best = p->line;
	}
	return 0;
}

#define JAVA_LINES 16384 /* entries that are read */

/* Returns the line of P->bci of the method, whose name has this ID; 0: not known. */
static __attribute__((noinline)) __u32 java_find_line(struct walker *c, __u64 id)
{
	struct java_walk *p = JAVA_WALK(c);
	struct java_line *seen = &p->line_cache[(id ^ (__u32)p->bci) % CACHED_JAVA_LINES];

	if (id == DT_NAME_UNKNOWN || p->bci < 0 || (__u32)p->bci >= p->code_size || !p->lines)
		return 0;
	if (seen->id == id && seen->bci == (__u32)p->bci)
		return seen->line;
	p->line_bci = p->line = p->best = 0;
	p->best_bci = -1;
	p->at_in = 0;
	if (java_fill_lines(p))
		return 0;
	bpf_loop(JAVA_LINES, java_line_entry, c, 0);
	seen->id = id;
	seen->bci = (__u32)p->bci;
	seen->line = p->best > 0 ? (__u32)p->best : 0;
	return seen->line;
}
