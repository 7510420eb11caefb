/* SPDX-License-Identifier: Apache-2.0 */
/*
 * v8_heap: objects of V8 for the test of its walker: makes functions, and reads what memory says of
 * a function, by the rules of src/rt/managed/v8.h, as plainly as possible.
 *
 *	heap_layout(&proc.v8); empty_arena(); begin_heap(); make_function(i) ...; describe(...)
 */
#ifndef TESTS_UNIT_V8_HEAP_H
#define TESTS_UNIT_V8_HEAP_H

#include "rt_walk.h"

#include "rt/managed/v8.h"

#define SMI(n) ((uint64_t)(n) << 32)

static const struct dt_v8 *const v8 = &proc.v8;

/* ---- objects ---- */

/* Types of objects: all numbers are made up, but those of strings. */
enum {
	T_ODDBALL = 0x83,
	T_MAP = 0x100,
	T_SFI,
	T_SCOPE_INFO,
	T_SCRIPT,
	T_BYTECODES,
	T_BYTE_ARRAY,
	T_TRUSTED_BYTE_ARRAY,
	T_STREAM,
	T_CODE,
	T_FIXED_ARRAY,
	T_CONTEXT,
	T_FUNCTION = 0x800,
};

#define T_STRING (V8_ONE_BYTE) /* internalised */

/* Sets what the symbols of V8 say. */
static inline void heap_layout(struct dt_v8 *v)
{
	v->type_map = T_MAP;
	v->type_oddball = T_ODDBALL;
	v->type_function = T_FUNCTION;
	v->type_function_last = T_FUNCTION + 16;
	v->type_sfi = T_SFI;
	v->type_scope_info = T_SCOPE_INFO;
	v->type_script = T_SCRIPT;
	v->type_bytecodes = T_BYTECODES;
	v->type_byte_array = T_BYTE_ARRAY;
	v->type_trusted_byte_array = T_TRUSTED_BYTE_ARRAY;
	v->type_stream = T_STREAM;
	v->frame_wasm = 8;
	v->function_shared = 24;
	v->sfi_data = 8;
	v->sfi_scope = 16;
	v->sfi_script = 32;
	v->sfi_length = 40;
	v->sfi_literal_id = 48;
	v->script_source = 8;
	v->script_name = 16;
	v->bytecodes_header = 54;
	v->kind_baseline = 2;
}

static struct {
	uint16_t type;
	uint64_t at;
} maps[32];
static unsigned nmaps;

static inline uint64_t add_map(uint16_t type)
{
	uint64_t at = take(32);

	put64(at, (nmaps ? maps[0].at : at) | 1);
	put16(at + V8_MAP_TYPE, type);
	maps[nmaps].type = type;
	maps[nmaps++].at = at;
	return at;
}

static inline uint64_t map_of(uint16_t type)
{
	for (unsigned i = 0; i < nmaps; i++)
		if (maps[i].type == type)
			return maps[i].at;
	return add_map(type);
}

/* Returns a new object, whose address is not tagged. */
static inline uint64_t make_object(uint16_t type, size_t size)
{
	uint64_t map = map_of(type), at = take(size);

	put64(at, map | 1);
	return at;
}

static inline uint64_t make_undefined(void)
{
	return make_object(T_ODDBALL, 48);
}

/* ---- strings ---- */

static inline uint64_t string_head(uint16_t type, size_t size, uint32_t length)
{
	uint64_t at = make_object(type, V8_STRING_CHARS + size);

	put32(at + V8_STRING_HASH, (uint32_t)rnd());
	put32(at + V8_STRING_LENGTH, length);
	return at;
}

static inline uint64_t make_latin1(const char *text)
{
	uint32_t n = (uint32_t)strlen(text);
	uint64_t at = string_head(T_STRING, n + 1, n);

	put(at + V8_STRING_CHARS, text, n);
	return at;
}

static inline uint64_t make_utf16(const uint16_t *text, uint32_t n)
{
	uint64_t at = string_head(0, 2 * n, n);

	put(at + V8_STRING_CHARS, text, 2 * n);
	return at;
}

static inline uint64_t make_cons(uint64_t a, uint64_t b, uint32_t length)
{
	uint64_t at = string_head(V8_NOT_INTERNED | V8_ONE_BYTE | V8_CONS, 16, length);

	put64(at + V8_STRING_CHARS, a | 1);
	put64(at + V8_STRING_SECOND, b | 1);
	return at;
}

static inline uint64_t make_sliced(uint64_t parent, uint32_t from, uint32_t length)
{
	uint64_t at = string_head(V8_NOT_INTERNED | V8_ONE_BYTE | V8_SLICED, 16, length);

	put64(at + V8_STRING_CHARS, parent | 1);
	put64(at + V8_STRING_SECOND, SMI(from));
	return at;
}

static inline uint64_t make_thin(uint64_t actual, uint32_t length)
{
	uint64_t at = string_head(V8_NOT_INTERNED | V8_ONE_BYTE | V8_THIN, 8, length);

	put64(at + V8_STRING_CHARS, actual | 1);
	return at;
}

static inline uint64_t make_external(const char *text)
{
	uint32_t n = (uint32_t)strlen(text);
	uint64_t at = string_head(V8_ONE_BYTE | V8_EXTERNAL, 16, n), data = take(n);

	put(data, text, n);
	put64(at + V8_STRING_SECOND, data);
	return at;
}

/* ---- scripts ---- */

#define LINE	    10 /* characters of a line of the sources */
#define LINES	    48
#define FIRST_LINE1 7 /* of the second script, counted from 0 */
#define TEN	    "0123456789/"
#define LONG_FILE   TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "x.js"
#define A10	    "aaaaaaaaaa"
#define A150	    A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10

enum how { FLAT, UTF16, CONS, SLICED, THIN, LONG, ANONYMOUS, INFERRED, NO_SCRIPT };

static const struct made_function {
	const char *name; /* as it is printed */
	int script;
	enum how how;
} functions[] = {
	{"leaf", 0, FLAT}, {"handle", 0, FLAT}, {"caf\xc3\xa9", 1, FLAT},
	{"\xd0\xb8\xd0\xbc\xd1\x8f", 0, UTF16}, {"onClick", 1, CONS}, {"f", 0, THIN},
	{"<anonymous>", 0, ANONYMOUS}, {"Foo.bar", 1, INFERRED}, {"push", -1, NO_SCRIPT},
	{"sliced", 1, SLICED}, {A150 "aaaaaaaa", 0, LONG}, /* the next character does not fit */
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static uint64_t scripts[2];

static inline uint64_t make_source(int i)
{
	char text[LINE * LINES + 1] = "";
	uint16_t wide[LINE * LINES];

	for (unsigned k = 0; k < LINE * LINES; k++)
		wide[k] = (uint16_t)(text[k] = k % LINE == LINE - 1 ? '\n' : 'x');
	return i ? make_utf16(wide, LINE * LINES) : make_external(text);
}

static inline uint64_t make_script(int i)
{
	uint64_t at = make_object(T_SCRIPT, 128);

	put64(at + v8->script_source, make_source(i) | 1);
	put64(at + v8->script_name, make_latin1(i ? LONG_FILE : "/a/b.js") | 1);
	put64(at + V8_SCRIPT_LINE, SMI(i ? FIRST_LINE1 : 0));
	put64(at + v8->script_id, SMI(11 + i));
	return at;
}

/* Where function I begins in its source. */
static inline uint32_t made_start(int i)
{
	return LINE * 4 * (uint32_t)i + 5;
}

/* The line of POS in the script of function I; 0: it has none. */
static inline uint32_t made_line(int i, uint32_t pos)
{
	if (functions[i].script < 0)
		return 0;
	return pos / LINE + 1 + (functions[i].script ? FIRST_LINE1 : 0);
}

static inline const char *made_name(int i)
{
	return functions[i].name;
}

static inline const char *made_file(int i)
{
	if (functions[i].script < 0)
		return "";
	return functions[i].script ? &LONG_FILE[sizeof(LONG_FILE) - DT_NAME_FILE] : "/a/b.js";
}

/* ---- functions ---- */

static uint64_t shared_infos[FUNCTIONS];

static inline uint64_t make_name(int i)
{
	static const uint16_t wide[] = {0x438, 0x43c, 0x44f};

	switch (functions[i].how) {
	case UTF16:
		return make_utf16(wide, 3);
	case CONS:
		return make_cons(make_latin1("on"), make_latin1("Click"), 7);
	case THIN:
		return make_thin(make_latin1("f"), 1);
	case SLICED:
		return make_sliced(make_latin1("(sliced)"), 1, 6);
	case LONG:
		return make_cons(make_latin1(A150 "aaaaaaaa\xe9"), make_latin1("z"), 160);
	case ANONYMOUS:
	case INFERRED:
		return make_latin1("");
	default:
		return make_latin1(i == 2 ? "caf\xe9" : functions[i].name);
	}
}

static inline uint64_t make_scope(int i)
{
	uint64_t at = make_object(T_SCOPE_INFO, 128), next = at + V8_SCOPE_REST;
	bool is_module = i == 3;

	put64(at + V8_SCOPE_FLAGS,
		SMI(1u << 12 | (functions[i].how == INFERRED ? V8_SCOPE_INFERRED : 0) |
			(i == 1 ? V8_SCOPE_BRAND : 0) | (is_module ? v8->scope_module : 1)));
	put64(at + V8_SCOPE_LOCALS, SMI(i % 2));
	if (v8->scope_position_first) {
		put64(next, SMI(made_start(i)));
		next += 16;
	}
	next += 16 * (i % 2) + 8 * is_module + 8 * (i == 1);
	put64(next, make_name(i) | 1);
	next += 16;
	if (functions[i].how == INFERRED) {
		put64(next, make_sliced(make_latin1("xxFoo.barxx"), 2, 7) | 1);
		next += 8;
	}
	if (!v8->scope_position_first)
		put64(next, SMI(made_start(i)));
	return at;
}

/* Returns the SharedFunctionInfo of function I, which is made at the first call. */
static inline uint64_t make_function(int i)
{
	uint64_t at = shared_infos[i];
	int script = functions[i].script;

	if (at)
		return at;
	at = shared_infos[i] = make_object(T_SFI, 64);
	put64(at + v8->sfi_data, script < 0 ? SMI(400 + i) : make_undefined() | 1);
	put64(at + v8->sfi_scope, (script < 0 ? make_name(i) : make_scope(i)) | 1);
	put64(at + v8->sfi_script,
		(script < 0 ? make_object(T_ODDBALL, 128) : scripts[script]) | 1);
	put64(at + v8->sfi_length, 7);
	put64(at + v8->sfi_literal_id, SMI(i + 1));
	return at;
}

static inline void begin_heap(void)
{
	nmaps = 0;
	add_map(T_MAP);
	memset(shared_infos, 0, sizeof(shared_infos));
	for (int i = 0; i < 2; i++)
		scripts[i] = make_script(i);
}

/* ---- tables of positions ---- */

/* A position in the source; INLINED -1: in the function itself. */
static inline uint64_t source_position(uint32_t offset, int inlined)
{
	return (uint64_t)(offset + 1) << 1 | (uint64_t)(inlined + 1) << 31;
}

static inline uint64_t put_number(uint64_t at, int64_t n)
{
	uint64_t value = (uint64_t)n << 1 ^ (uint64_t)(n >> 63);

	do {
		uint8_t b = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

		put(at++, &b, 1);
		value >>= 7;
	} while (value);
	return at;
}

/* Makes a table: from the instruction at OFFSETS[i] on, the position is POS[i]. */
static inline uint64_t make_position_table(const uint64_t *offsets, const uint64_t *pos, unsigned n)
{
	uint64_t at = make_object(T_TRUSTED_BYTE_ARRAY, 80), end = at + V8_ELEMENTS;
	int64_t before = -1, last = 0;

	for (unsigned i = 0; i < n; i++) {
		end = put_number(end, (int64_t)offsets[i] - before);
		end = put_number(end, (int64_t)pos[i] - last);
		before = (int64_t)offsets[i];
		last = (int64_t)pos[i];
	}
	put64(at + V8_LENGTH, SMI(end - at - V8_ELEMENTS));
	return at;
}

/* ---- what memory says of a function ---- */

static inline bool read64(uint64_t addr, uint64_t *v)
{
	return get(addr, v, sizeof(*v));
}

/* Returns the type of OBJ, whose address becomes *BASE_ADDR; -1: it is none. */
static inline int type_of(uint64_t obj, uint64_t *base_addr)
{
	uint64_t map, meta;
	uint16_t type;

	*base_addr = obj - 1;
	if (!V8_TAGGED(obj) || !read64(obj - 1, &map))
		return -1;
	if (!(map & 7)) { /* the object has moved there */
		*base_addr = map;
		if (!read64(map, &map))
			return -1;
	}
	if (!V8_TAGGED(map) || !read64(map - 1, &meta) || !V8_TAGGED(meta) ||
		!get(meta - 1 + V8_MAP_TYPE, &type, sizeof(type)) || type != T_MAP ||
		!get(map - 1 + V8_MAP_TYPE, &type, sizeof(type)))
		return -1;
	return type;
}

/* The characters of a string, or its two parts. */
struct flat {
	uint64_t chars, part[2];
	uint32_t length, width;
};

enum { NO_STRING = -1, IS_FLAT, HAS_PARTS };

static inline bool read_second(uint64_t at, uint64_t *second)
{
	return read64(at + V8_STRING_SECOND, second);
}

static inline int find_chars(uint64_t obj, struct flat *f)
{
	uint32_t skip = 0, length = 0, is_sliced = 0;
	uint64_t at, second, head;

	for (int hop = 0; hop < 4; hop++) {
		int type = type_of(obj, &at);

		if (type < 0 || type >= V8_FIRST_NON_NAME ||
			!get(at + V8_STRING_LENGTH, &f->length, 4) || f->length >= 1u << 30)
			return NO_STRING;
		length = is_sliced ? length : f->length;
		f->width = type & V8_ONE_BYTE ? 1 : 2;
		f->chars = at + V8_STRING_CHARS;
		switch (type & 7) {
		case V8_CONS:
			if (!read64(at + V8_STRING_CHARS, &f->part[0]) ||
				!read_second(at, &f->part[1]) || !V8_TAGGED(f->part[1]) ||
				!read64(f->part[1] - 1 + V8_STRING_HASH, &head))
				return NO_STRING;
			if (head >> 32)
				return is_sliced ? NO_STRING : HAS_PARTS;
			obj = f->part[0];
			continue;
		case V8_SLICED:
			if (!read_second(at, &second) || !V8_IS_SMI(second))
				return NO_STRING;
			skip += V8_SMI(second);
			is_sliced = 1;
			/* fall through */
		case V8_THIN:
			if (!read64(at + V8_STRING_CHARS, &obj))
				return NO_STRING;
			continue;
		case V8_EXTERNAL:
			if (type & V8_UNCACHED || !read_second(at, &f->chars))
				return NO_STRING;
			break;
		case V8_SEQ:
			break;
		default:
			return NO_STRING;
		}
		if ((uint64_t)skip + length > f->length)
			return NO_STRING;
		f->length = length;
		f->chars += (uint64_t)skip * f->width;
		return IS_FLAT;
	}
	return NO_STRING;
}

struct utf8 {
	char *out;
	size_t at;
	uint32_t high;
	bool cut;
};

/* Adds characters of a flat string; after the first that does not fit there are no more. */
static inline bool add_chars(struct utf8 *u, uint64_t chars, uint32_t n, uint32_t width)
{
	bool too_long = n > DT_NAME_FUNCTION - 1;

	if (u->cut)
		return true;
	if (too_long)
		n = DT_NAME_FUNCTION - 1;
	if (n && !get(chars + (uint64_t)(n - 1) * width, &(uint16_t){0}, width))
		return false;
	for (uint32_t i = 0; i < n && !u->cut; i++) {
		uint32_t c = 0;

		if (!get(chars + i * width, &c, width))
			return false;
		if (width == 2 && (c & 0xfc00) == 0xd800) {
			u->high = c;
			continue;
		}
		if (u->high && (c & 0xfc00) == 0xdc00)
			c = 0x10000 + ((u->high & 0x3ff) << 10) + (c & 0x3ff);
		u->high = 0;
		u->cut = !add_utf8(u->out, &u->at, c);
	}
	u->cut |= too_long;
	return true;
}

/* Reads up to ten parts of a string, of each its end if IS_FILE and it is too long. */
static inline bool read_text(uint64_t obj, bool is_file, char out[DT_NAME_FUNCTION])
{
	uint64_t todo[16] = {obj};
	unsigned n = 1;
	struct utf8 u = {.out = out};

	for (int i = 0; i < V8_PIECES && n; i++) {
		struct flat f;
		int is = find_chars(todo[--n], &f);
		uint32_t skip = 0;

		if (is == NO_STRING)
			return false;
		if (is == HAS_PARTS) {
			todo[n++] = f.part[1];
			todo[n++] = f.part[0];
			continue;
		}
		if (is_file && f.length > DT_NAME_FILE - 1)
			skip = f.length - (DT_NAME_FILE - 1);
		if (!add_chars(&u, f.chars + (uint64_t)skip * f.width, f.length - skip, f.width))
			return false;
	}
	out[u.at] = '\0';
	return !n;
}

/* 1: OBJ is a string that is not empty; 0: there is none; -1: it is something else. */
static inline int is_name(uint64_t obj)
{
	uint64_t at = 0, head;
	int type = V8_IS_SMI(obj) ? T_ODDBALL : type_of(obj, &at);

	if (type == T_ODDBALL)
		return 0;
	if (type < 0 || type >= V8_FIRST_NON_NAME || !read64(at + V8_STRING_HASH, &head))
		return -1;
	return head >> 32 != 0;
}

/* What a SharedFunctionInfo says. */
struct said {
	uint64_t name, inferred, script, file, source;
	uint32_t start, first; /* the position, ~0: not known; the script's first line, from 0 */
	bool has_script;
};

static inline bool read_scope(uint64_t scope, struct said *s)
{
	uint64_t flags, locals, at = scope + V8_SCOPE_REST, start;

	if (!read64(scope + V8_SCOPE_FLAGS, &flags) || !read64(scope + V8_SCOPE_LOCALS, &locals) ||
		!V8_IS_SMI(locals))
		return false;
	flags = (uint32_t)flags ? (uint32_t)flags : V8_SMI(flags);
	if (v8->scope_position_first) {
		if (!read64(at, &start) || !V8_IS_SMI(start))
			return false;
		s->start = V8_SMI(start);
		at += 16;
	}
	locals = V8_SMI(locals);
	at += (flags & V8_SCOPE_TYPE) == v8->scope_module ? 8 : 0;
	at += locals < V8_INLINE_NAMES ? 16 * locals : 8 + 8 * locals;
	at += flags & V8_SCOPE_BRAND ? 8 : 0;
	if (flags & V8_SCOPE_NAME) {
		if (!read64(at, &s->name))
			return false;
		at += 16;
	}
	if (flags & V8_SCOPE_INFERRED) {
		if (!read64(at, &s->inferred))
			return false;
		at += 8;
	}
	if (!v8->scope_position_first && read64(at, &start) && V8_IS_SMI(start))
		s->start = V8_SMI(start);
	return true;
}

static inline bool read_script(struct said *s)
{
	uint64_t at, id, first;
	int type = type_of(s->script, &at);

	if (type != T_SCRIPT)
		return type >= 0;
	if (!read64(at + v8->script_source, &s->source) ||
		!read64(at + v8->script_name, &s->file) || !read64(at + V8_SCRIPT_LINE, &first) ||
		!read64(at + v8->script_id, &id) || !V8_IS_SMI(id))
		return false;
	s->has_script = id != 0;
	s->first = V8_SMI(first);
	return true;
}

static inline bool read_shared(uint64_t obj, struct said *s)
{
	uint64_t at, words[8], scope, id;
	int type;

	*s = (struct said){.start = ~0u};
	if (type_of(obj, &at) != T_SFI || !get(at, words, sizeof(words)))
		return false;
	scope = words[v8->sfi_scope / 8];
	s->script = words[v8->sfi_script / 8];
	if (!V8_TAGGED(s->script) || !read64(s->script - 1 + v8->script_id, &id))
		return false;
	type = type_of(scope, &at);
	if (V8_IS_SMI(scope))
		return read_script(s);
	if (type == T_SCOPE_INFO) {
		if (!read_scope(at, s))
			return false;
	} else if (type >= 0 && type < V8_FIRST_NON_NAME) {
		s->name = scope;
	} else {
		return false;
	}
	return read_script(s);
}

/* Returns the line where the function begins; 0: it cannot be read. */
static inline uint32_t first_line(const struct said *s)
{
	uint32_t lines = s->first + 1;
	struct flat f;

	if (s->start == ~0u || find_chars(s->source, &f) != IS_FLAT || s->start > f.length)
		return 0;
	for (uint32_t i = 0; i < s->start; i++) {
		uint16_t c = 0;

		if (!get(f.chars + (uint64_t)i * f.width, &c, f.width))
			return 0;
		lines += c == '\n';
	}
	return lines;
}

/* Fills *OUT by what memory says of the function that OBJ is; false: it is none, or has no name. */
static inline bool describe(uint64_t obj, struct dt_name *out)
{
	struct said s;
	int is;

	if (!read_shared(obj, &s))
		return false;
	memset(out, 0, sizeof(*out));
	is = is_name(s.name);
	if (!is) {
		s.name = s.inferred;
		is = is_name(s.name);
	}
	if (is < 0)
		return false;
	if (!is)
		strcpy(out->function, "<anonymous>");
	else if (!read_text(s.name, false, out->function))
		return false;
	if (!s.has_script)
		return true;
	if (is_name(s.file) > 0 && !read_text(s.file, true, out->file))
		return false;
	out->line = first_line(&s);
	return true;
}

#endif
