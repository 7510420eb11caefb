// SPDX-License-Identifier: Apache-2.0
/*
 * Edits the code of a method: a call at offset 0, a call before each return, and a handler at the
 * end.  Everything that names an offset is moved: branches, switches with their padding, exception
 * ranges, lines, local variables, and stack map frames, whose types stay as they are because the
 * added code has no branch and leaves the stack as it was.
 */
#include "code.h"

#include <stdlib.h>
#include <string.h>

enum op {
	ACONST_NULL = 1,
	LCONST_0 = 9,
	SIPUSH = 17,
	ILOAD = 21,
	LLOAD,
	FLOAD,
	DLOAD,
	ALOAD,
	DUP = 89,
	DUP2 = 92,
	IINC = 132,
	I2L = 133,
	IFEQ = 153,
	JSR = 168,
	TABLESWITCH = 170,
	LOOKUPSWITCH,
	IRETURN,
	LRETURN,
	FRETURN,
	DRETURN,
	ARETURN,
	RETURN,
	INVOKESTATIC = 184,
	ATHROW = 191,
	WIDE = 196,
	IFNULL = 198,
	IFNONNULL,
	GOTO_W,
	JSR_W
};

#define MORE_STACK 20 /* slots that the calls need: HELPER_ARGS has 19 */

struct edit {
	const uint8_t *code;
	uint32_t len;
	uint32_t *map; /* new offsets; of a return, that of the call before it */
	uint32_t handler;
	bool handles;
	const struct method_edit *what;
	struct constants *pool;
	struct class_bytes *o;
	size_t start; /* where the new code begins in O */
};

/* Operand bytes of each instruction; 255: depends on what follows, or there is none. */
static unsigned operands(unsigned op)
{
	if (op == 16 || op == 18 || (op >= ILOAD && op <= ALOAD) || (op >= 54 && op <= 58) ||
		op == 169 || op == 188)
		return 1;
	if (op == SIPUSH || op == 19 || op == 20 || op == IINC || (op >= IFEQ && op <= JSR) ||
		(op >= 178 && op <= 184) || op == 187 || op == 189 || op == 192 || op == 193 ||
		op == IFNULL || op == IFNONNULL)
		return 2;
	if (op == 197)
		return 3;
	if (op == 185 || op == 186 || op == GOTO_W || op == JSR_W)
		return 4;
	return op <= 201 && op != TABLESWITCH && op != LOOKUPSWITCH && op != WIDE ? 0 : 255;
}

static int32_t s4(const uint8_t *p)
{
	return (int32_t)((uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]);
}

/* The bytes of the switch at AT, without its padding; 0: it is too long. */
static uint32_t switch_size(const struct edit *e, uint32_t at)
{
	uint32_t body = (at + 4) & ~3U;
	int64_t n;

	if (body + 12 > e->len)
		return 0;
	if (e->code[at] == TABLESWITCH)
		n = 12 + 4 * ((int64_t)s4(e->code + body + 8) - s4(e->code + body + 4) + 1);
	else
		n = 8 + 8 * (int64_t)s4(e->code + body + 4);
	return n >= 8 && body + n <= e->len ? (uint32_t)n : 0;
}

/* The length of the instruction at AT if it stands at NEW; 0: it cannot be read. */
static uint32_t insn_len(const struct edit *e, uint32_t at, uint32_t new)
{
	unsigned op = e->code[at], n = operands(op);
	uint32_t body;

	if (n != 255)
		return at + 1 + n <= e->len ? 1 + n : 0;
	if (op == WIDE)
		return at + 6 <= e->len || (at + 4 <= e->len && e->code[at + 1] != IINC)
			? (e->code[at + 1] == IINC ? 6 : 4)
			: 0;
	body = op == TABLESWITCH || op == LOOKUPSWITCH ? switch_size(e, at) : 0;
	return body ? ((new + 4) & ~3U) - new + body : 0;
}

/* ---- calls ---- */

static void put_call(struct edit *e, unsigned method)
{
	out_u1(e->o, INVOKESTATIC);
	out_u2(e->o, method);
}

static void put_helper(struct edit *e, enum helper which)
{
	out_u1(e->o, SIPUSH);
	out_u2(e->o, e->what->number);
	put_call(e, e->pool->helpers[which]);
}

static void put_load(struct edit *e, unsigned op, unsigned slot)
{
	if (slot > UINT8_MAX) {
		out_u1(e->o, WIDE);
		out_u1(e->o, op);
		out_u2(e->o, slot);
		return;
	}
	out_u1(e->o, op);
	out_u1(e->o, slot);
}

/* Pushes an argument as a long. */
static void put_number(struct edit *e, char kind, unsigned slot)
{
	switch (kind) {
	case 'I':
		put_load(e, ILOAD, slot);
		out_u1(e->o, I2L);
		break;
	case 'J':
		put_load(e, LLOAD, slot);
		break;
	case 'F':
		put_load(e, FLOAD, slot);
		put_call(e, e->pool->float_bits);
		out_u1(e->o, I2L);
		break;
	case 'D':
		put_load(e, DLOAD, slot);
		put_call(e, e->pool->double_bits);
		break;
	default:
		out_u1(e->o, LCONST_0);
	}
}

static void put_entry(struct edit *e, bool is_static)
{
	unsigned slot = !is_static, slots[METHOD_VALUES], n;
	char kinds[METHOD_VALUES] = "";

	if (!e->what->entry)
		return;
	n = edit_kinds(e->what->name, e->what->desc, is_static, kinds);
	if (!e->what->args || !n) {
		put_helper(e, HELPER_ENTRY);
		return;
	}
	for (unsigned i = 0; i < METHOD_VALUES; i++) {
		slots[i] = kinds[i] == 'T' ? 0 : slot;
		slot += kinds[i] == 'J' || kinds[i] == 'D' ? 2 : 1;
		put_number(e, kinds[i], slots[i]);
	}
	for (unsigned i = 0; i < METHOD_VALUES; i++) {
		if (kinds[i] && strchr("LsT", kinds[i]))
			put_load(e, ALOAD, slots[i]);
		else
			out_u1(e->o, ACONST_NULL);
	}
	put_helper(e, HELPER_ARGS);
}

/* The call before a return of kind OP, whose value stays on the stack. */
static void put_return(struct edit *e, unsigned op)
{
	static const enum helper helpers[] = {
		HELPER_INT, HELPER_LONG, HELPER_INT, HELPER_LONG, HELPER_OBJECT};

	if (op == RETURN) {
		put_helper(e, HELPER_VOID);
		return;
	}
	out_u1(e->o, op == LRETURN || op == DRETURN ? DUP2 : DUP);
	if (op == FRETURN)
		put_call(e, e->pool->float_bits);
	if (op == DRETURN)
		put_call(e, e->pool->double_bits);
	if (op == ARETURN && strstr(e->what->desc, ")Ljava/lang/String;"))
		put_helper(e, HELPER_STRING);
	else
		put_helper(e, helpers[op - IRETURN]);
}

/* ---- instructions ---- */

static bool is_return(const struct edit *e, unsigned op)
{
	return e->what->ret && op >= IRETURN && op <= RETURN;
}

/* True if the map could be filled in, for code that begins at offset NEW. */
static bool fill_map(struct edit *e, uint32_t new)
{
	for (uint32_t at = 0, n; at < e->len; at += n) {
		e->map[at] = new;
		if (is_return(e, e->code[at])) {
			size_t before = e->o->n;

			put_return(e, e->code[at]); /* for its length */
			new += (uint32_t)(e->o->n - before);
			e->o->n = before;
		}
		n = insn_len(e, at, at);
		if (!n)
			return false;
		new += insn_len(e, at, new);
	}
	e->map[e->len] = new;
	return true;
}

/* The distance from NOW, a new offset, to what was BY bytes from AT. */
static int32_t distance(struct edit *e, uint32_t at, int32_t by, uint32_t now)
{
	int64_t to = (int64_t)at + by;

	if (to >= 0 && to < e->len)
		return (int32_t)(e->map[to] - now);
	e->o->why = "a branch leaves its code";
	return 0;
}

static void put_switch(struct edit *e, uint32_t at, uint32_t now)
{
	const uint8_t *p = e->code + ((at + 4) & ~3U);
	const uint8_t *end = p + switch_size(e, at);
	bool table = e->code[at] == TABLESWITCH;

	out_u1(e->o, e->code[at]);
	while ((e->o->n - e->start) & 3)
		out_u1(e->o, 0);
	out_u4(e->o, (uint32_t)distance(e, at, s4(p), now));
	out_bytes(e->o, p + 4, table ? 8 : 4);
	for (p += table ? 12 : 8; p < end; p += 4) {
		if (!table) {
			out_bytes(e->o, p, 4);
			p += 4;
		}
		out_u4(e->o, (uint32_t)distance(e, at, s4(p), now));
	}
}

static void put_insn(struct edit *e, uint32_t at)
{
	uint32_t now = (uint32_t)(e->o->n - e->start);
	const uint8_t *p = e->code + at;

	if ((*p >= IFEQ && *p <= JSR) || *p == IFNULL || *p == IFNONNULL) {
		int32_t d = distance(e, at, (int16_t)(p[1] << 8 | p[2]), now);

		if (d != (int16_t)d)
			e->o->why = "a branch would be too long";
		out_u1(e->o, *p);
		out_u2(e->o, (uint16_t)d);
	} else if (*p == GOTO_W || *p == JSR_W) {
		out_u1(e->o, *p);
		out_u4(e->o, (uint32_t)distance(e, at, s4(p + 1), now));
	} else if (*p == TABLESWITCH || *p == LOOKUPSWITCH) {
		put_switch(e, at, now);
	} else {
		out_bytes(e->o, p, insn_len(e, at, at));
	}
}

static void put_code(struct edit *e)
{
	for (uint32_t at = 0; at < e->len; at += insn_len(e, at, at)) {
		if (is_return(e, e->code[at]))
			put_return(e, e->code[at]);
		put_insn(e, at);
	}
	e->handler = (uint32_t)(e->o->n - e->start);
	if (!e->handles)
		return;
	put_helper(e, HELPER_THROWN);
	out_u1(e->o, ATHROW);
}

/* ---- tables ---- */

static unsigned mapped(struct edit *e, unsigned at)
{
	if (at <= e->len)
		return e->map[at];
	e->o->why = "a table names an offset outside of the code";
	return 0;
}

static void put_exceptions(struct edit *e, struct in *in, uint32_t first)
{
	unsigned n = in_u2(in);

	out_u2(e->o, n + e->handles);
	for (; n && !in->bad; n--) {
		for (int i = 0; i < 3; i++)
			out_u2(e->o, mapped(e, in_u2(in)));
		out_u2(e->o, in_u2(in));
	}
	if (!e->handles)
		return;
	out_u2(e->o, first);
	out_u2(e->o, e->handler);
	out_u2(e->o, e->handler);
	out_u2(e->o, 0);
}

/* LineNumberTable; LocalVariableTable and LocalVariableTypeTable, which have a length. */
static void put_table(struct edit *e, struct in *in, bool variables)
{
	unsigned n = in_u2(in);

	out_u2(e->o, n);
	for (; n && !in->bad; n--) {
		unsigned at = in_u2(in), second = in_u2(in);

		out_u2(e->o, mapped(e, at));
		out_u2(e->o, variables ? mapped(e, at + second) - mapped(e, at) : second);
		if (variables) {
			out_bytes(e->o, in->p, 6);
			in_skip(in, 6);
		}
	}
}

enum { ITEM_OBJECT = 7, ITEM_UNINITIALIZED = 8 };

static void put_types(struct edit *e, struct in *in, unsigned n)
{
	for (; n && !in->bad; n--) {
		unsigned tag = in_u1(in);

		out_u1(e->o, tag);
		if (tag == ITEM_OBJECT)
			out_u2(e->o, in_u2(in));
		if (tag == ITEM_UNINITIALIZED) /* the offset of its `new` */
			out_u2(e->o, mapped(e, in_u2(in)));
	}
}

/* One frame (JVMS 4.7.4); *AT and *NEW are the offsets of the one before, -1 at first. */
static void put_frame(struct edit *e, struct in *in, int64_t *at, int64_t *new)
{
	unsigned kind = in_u1(in), delta, to;

	delta = kind < 64 ? kind : kind < 128 ? kind - 64 : in_u2(in);
	*at += delta + 1;
	to = mapped(e, (unsigned)*at);
	delta = (unsigned)(to - *new - 1);
	*new = to;
	if (kind < 64)
		kind = 251;
	else if (kind < 128)
		kind = 247;
	out_u1(e->o, kind);
	out_u2(e->o, delta);
	if (kind == 247)
		put_types(e, in, 1);
	else if (kind >= 252 && kind <= 254)
		put_types(e, in, kind - 251);
	else if (kind == 255)
		for (int i = 0; i < 2; i++) {
			unsigned n = in_u2(in);

			out_u2(e->o, n);
			put_types(e, in, n);
		}
}

/* The frames of IN, which may be NULL, and that of the handler: no locals, the exception. */
static void put_frames(struct edit *e, struct in *in)
{
	unsigned n = in ? in_u2(in) : 0;
	int64_t at = -1, new = -1;
	size_t len;

	out_u2(e->o, e->pool->stack_map);
	len = e->o->n;
	out_u4(e->o, 0);
	out_u2(e->o, n + e->handles);
	for (; n && !in->bad; n--)
		put_frame(e, in, &at, &new);
	if (e->handles) {
		out_u1(e->o, 255);
		out_u2(e->o, (unsigned)(e->handler - new - 1));
		out_u2(e->o, 0);
		out_u2(e->o, 1);
		out_u1(e->o, ITEM_OBJECT);
		out_u2(e->o, e->pool->throwable);
	}
	for (int i = 0; i < 4 && !e->o->why; i++)
		e->o->p[len + (size_t)i] = (uint8_t)((e->o->n - len - 4) >> (24 - 8 * i));
}

#define VERSION_6 50 /* the first class files with stack map frames */

/* Attributes other than these are about types of instructions, which nothing reads at run time. */
static void put_attributes(struct edit *e, struct in *in, unsigned version)
{
	unsigned n = in_u2(in), kept = 0;
	size_t count = e->o->n;
	bool frames = false;

	out_u2(e->o, 0);
	for (; n && !in->bad; n--) {
		unsigned name = in_u2(in);
		uint32_t len = in_u4(in);
		struct in body = {in->p, in->p + len, false};
		bool lines = pool_is(e->pool, name, "LineNumberTable");

		in_skip(in, len);
		if (in->bad)
			return;
		if (pool_is(e->pool, name, "StackMapTable")) {
			put_frames(e, &body);
			frames = true;
			kept++;
		} else if (lines || pool_is(e->pool, name, "LocalVariableTable") ||
			pool_is(e->pool, name, "LocalVariableTypeTable")) {
			out_u2(e->o, name);
			out_u4(e->o, len);
			put_table(e, &body, !lines);
			kept++;
		}
		in->bad |= body.bad;
	}
	if (!frames && e->handles && version >= VERSION_6) {
		put_frames(e, NULL);
		kept++;
	}
	if (!e->o->why)
		e->o->p[count + 1] = (uint8_t)kept;
}

static void patch_u4(struct class_bytes *o, size_t at, size_t value)
{
	for (int i = 0; i < 4 && !o->why; i++)
		o->p[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_all(struct edit *e, struct in *in, bool is_static, unsigned version)
{
	size_t len = e->start - 4;
	uint32_t first;

	put_entry(e, is_static);
	first = (uint32_t)(e->o->n - e->start);
	if (!fill_map(e, first)) {
		e->o->why = "its code cannot be read";
		return;
	}
	put_code(e);
	if (e->o->n - e->start > UINT16_MAX)
		e->o->why = "its code would be too long";
	patch_u4(e->o, len, e->o->n - e->start);
	put_exceptions(e, in, first);
	put_attributes(e, in, version);
}

void code_edit(struct in *in, struct class_bytes *o, struct constants *p,
	const struct method_edit *what, bool is_static, unsigned version)
{
	struct edit e = {.what = what, .pool = p, .o = o};
	size_t len = o->n;
	unsigned stack;

	out_u4(o, 0);
	stack = in_u2(in) + MORE_STACK;
	out_u2(o, stack);
	out_u2(o, in_u2(in));
	e.len = in_u4(in);
	e.code = in->p;
	in_skip(in, e.len);
	out_u4(o, 0);
	e.start = o->n;
	/* an object that is not initialised must not reach a handler (JVMS 4.10.1.6) */
	e.handles = what->ret && strcmp(what->name, "<init>") != 0;
	if (!in->bad) /* else the length may be anything */
		e.map = calloc((size_t)e.len + 1, sizeof(*e.map));
	if (!e.map || stack > UINT16_MAX)
		o->why = "its code cannot be extended";
	if (!in->bad && !o->why)
		put_all(&e, in, is_static, version);
	patch_u4(o, len, o->n - len - 4);
	free(e.map);
}
