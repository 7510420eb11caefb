/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_heap: structures of HotSpot for the test of its walker: makes methods and code, and reads
 * what memory says of a method, as plainly as possible.
 *
 *	java_layout(&proc.java); empty_arena(); begin_java(); make_method(i) ...;
 *describe_method(...)
 */
#ifndef TESTS_UNIT_JAVA_HEAP_H
#define TESTS_UNIT_JAVA_HEAP_H

#include "rt_walk.h"

static const struct dt_java *const java = &proc.java;

/* The code cache: one heap of methods, and one of stubs and the interpreter. */
#define STATICS	    (BASE + 16384)
#define CODE	    (BASE + 0x9000)
#define STUBS	    (BASE + 0xd000)
#define INTERPRETER (BASE + 0xe000)
#define CODE_END    (BASE + 0xf000)
#define SHIFT	    7 /* of the segments of both */
#define SEGMENT	    (1u << SHIFT)

/* Offsets are made up, but in the order of the real ones. */
static inline void java_layout(struct dt_java *j)
{
	*j = (struct dt_java){
		.heaps = STATICS,
		.interpreter = STATICS + 8,
		.array_length = 0,
		.array_data = 16,
		.array_u1_data = 4,
		.heap_memory = 8,
		.heap_segmap = 64,
		.heap_shift = 120,
		.space_low = 16,
		.space_high_boundary = 24,
		.queue_buffer = 8,
		.queue_limit = 20,
		.blob_frame_complete = 24,
		.blob_frame_size = 28,
		.blob_code = 32,
		.blob_code_end = 40,
		.blob_name = 96,
		.nmethod_size = 336,
		.nmethod_method = 160,
		.nmethod_scopes = 168,
		.nmethod_deopt = 176,
		.nmethod_deopt_mh = 184,
		.nmethod_pcs = 240,
		.nmethod_pcs_end = 244,
		.nmethod_metadata = 248,
		.nmethod_orig_pc = 252,
		.nmethod_compilation = 256,
		.nmethod_level = 260,
		.method_const = 8,
		.const_size = 56,
		.const_constants = 8,
		.const_flags = 40,
		.const_code_size = 42,
		.const_name = 44,
		.pool_size = 72,
		.pool_tags = 8,
		.pool_holder = 24,
		.pool_source = 52,
		.pool_length = 60,
		.klass_name = 24,
		.klass_constants = 40,
		.symbol_length = 4,
		.symbol_body = 6,
		.has_lines = 1,
		.level_c2 = 4,
	};
}

static inline uint64_t make_text(const char *text)
{
	uint64_t at = take(strlen(text) + 1);

	put(at, text, strlen(text) + 1);
	return at;
}

/* Adds N as the VM compresses numbers: bytes of which the last is below 192. */
static inline uint64_t put_compressed(uint64_t at, uint32_t n)
{
	uint8_t b;

	for (; n >= 192; n = (n - b) >> 6) {
		b = (uint8_t)(192 + ((n - 192) & 63));
		put(at++, &b, 1);
	}
	b = (uint8_t)n;
	put(at++, &b, 1);
	return at;
}

static inline uint32_t zigzag(int32_t n)
{
	return (uint32_t)n << 1 ^ (uint32_t)(n >> 31);
}

/* ---- methods ---- */

#define TEN	   "0123456789"
#define CLASS_MOST (DT_NAME_FUNCTION - 48) /* characters of a class that are shown */
#define LONG_CLASS TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

#define LONG_NAME LONG_CLASS TEN TEN "0123" /* as much as fits after Main and a dot */

static const struct made_method {
	const char *klass, *name, *file, *shown;
	int32_t line; /* the first; 0: it has no table */
} methods[] = {
	{"Main", "main", "Main.java", "Main.main", 3},
	{"com/acme/Work", "run", "Work.java", "com.acme.Work.run", 10},
	{"com/acme/Work$In", "inner", "Work.java", "com.acme.Work$In.inner", 1000},
	{"com/acme/Caf\xc3\xa9", "<init>", "Caf\xc3\xa9.java", "com.acme.Caf\xc3\xa9.<init>",
		20000},
	{"java/lang/Thread", "sleep", "Thread.java", "java.lang.Thread.sleep", 0},
	{"Main$$Lambda+0x123", "apply", NULL, "Main$$Lambda/0x123.apply", 7},
	{"Main", LONG_CLASS LONG_CLASS, "Main.java", "Main." LONG_NAME, 9},
	{LONG_CLASS, "f", "Long.java", &LONG_CLASS ".f"[sizeof(LONG_CLASS) - 1 - CLASS_MOST], 8},
};

#define METHODS (sizeof(methods) / sizeof(methods[0]))

#define CODE_SIZE 400 /* bytes of a method's bytecode */
#define BCI	  355 /* where frames are in it: its line is not in the first read of the table */

static inline uint64_t make_symbol(const char *text)
{
	uint16_t length = (uint16_t)strlen(text);
	uint64_t at = take(java->symbol_body + length + 8u);

	put32(at, (uint32_t)rnd() | 1);
	put16(at + java->symbol_length, length);
	put(at + java->symbol_body, text, length);
	return at;
}

static inline uint64_t make_class(const struct made_method *m)
{
	static const uint8_t tags[] = {0, 1, 1, 7};
	uint64_t klass = take(64), pool_at = take(128), array = take(16);

	put64(klass + java->klass_name, make_symbol(m->klass));
	put64(klass + java->klass_constants, pool_at);
	put32(array, sizeof(tags));
	put(array + java->array_u1_data, tags, sizeof(tags));
	put64(pool_at + java->pool_tags, array);
	put64(pool_at + java->pool_holder, klass);
	put16(pool_at + java->pool_source, m->file ? 2 : 0);
	put32(pool_at + java->pool_length, sizeof(tags));
	put64(pool_at + java->pool_size + 8, make_symbol(m->name));
	if (m->file)
		put64(pool_at + java->pool_size + 16, make_symbol(m->file));
	return pool_at;
}

/* The line of a bytecode is one more for each ten. */
static inline uint32_t line_of(int method, uint32_t bci)
{
	return methods[method].line ? (uint32_t)methods[method].line + bci / 10 : 0;
}

static inline void put_lines(uint64_t at, int32_t line)
{
	const uint8_t first = 0xff, next = 10 << 3 | 1, end = 0;

	put(at++, &first, 1);
	at = put_compressed(at, zigzag(0));
	at = put_compressed(at, zigzag(line));
	for (int i = 1; i < CODE_SIZE / 10; i++)
		put(at++, &next, 1);
	put(at, &end, 1);
}

static uint64_t made_methods[METHODS];

static inline uint64_t const_method(int i)
{
	return get64(made_methods[i] + java->method_const);
}

/* Returns method I, which is made at the first call. */
static inline uint64_t make_method(int i)
{
	uint64_t at = made_methods[i], constant;

	if (at)
		return at;
	constant = take(java->const_size + CODE_SIZE + 64u);
	at = made_methods[i] = take(64);
	put64(at + java->method_const, constant);
	put64(constant + java->const_constants, make_class(&methods[i]));
	put16(constant + java->const_flags, methods[i].line ? java->has_lines : 0);
	put16(constant + java->const_code_size, CODE_SIZE);
	put16(constant + java->const_name, 1);
	if (methods[i].line)
		put_lines(constant + java->const_size + CODE_SIZE, methods[i].line);
	return at;
}

/* ---- code ---- */

static uint64_t segments[2]; /* the maps of the heaps */
static uint64_t code_end[2]; /* where they have room */

static inline uint64_t heap_start(int i)
{
	return i ? STUBS : CODE;
}

/* Returns a new blob of SIZE bytes in heap I. */
static inline uint64_t make_blob(int i, uint32_t size, const char *name, uint32_t words)
{
	uint64_t block = code_end[i], at = block + 16;
	uint64_t n = (size + 16 + SEGMENT - 1) / SEGMENT, first = (block - heap_start(i)) / SEGMENT;

	for (uint64_t k = 0; k < n; k++)
		put(segments[i] + first + k, &(uint8_t){(uint8_t)k}, 1);
	code_end[i] += n * SEGMENT;
	put64(block, n);
	put64(block + 8, 1); /* in use */
	put32(at + java->blob_frame_size, words);
	put64(at + java->blob_code, at + java->nmethod_size);
	put64(at + java->blob_code_end, at + java->nmethod_size + 128u);
	put64(at + java->blob_name, make_text(name));
	return at;
}

static inline void make_code_heap(int i, uint64_t heap, uint64_t end)
{
	uint64_t n = (end - heap_start(i)) / SEGMENT;

	segments[i] = take(n);
	memset((char *)arena + (segments[i] - BASE), 0xff, n);
	code_end[i] = heap_start(i);
	put64(heap + java->heap_memory + java->space_low, heap_start(i));
	put64(heap + java->heap_memory + java->space_high_boundary, end);
	put64(heap + java->heap_segmap + java->space_low, segments[i]);
	put32(heap + java->heap_shift, SHIFT);
}

static inline void begin_java(void)
{
	uint64_t array = take(32), data = take(16), queue = take(32);

	memset(made_methods, 0, sizeof(made_methods));
	put64(java->heaps, array);
	put32(array + java->array_length, 2);
	put64(array + java->array_data, data);
	for (int i = 0; i < 2; i++) {
		uint64_t heap = take(128);

		put64(data + 8 * (uint64_t)i, heap);
		make_code_heap(i, heap, i ? CODE_END : STUBS);
	}
	put64(java->interpreter, queue);
	put64(queue + java->queue_buffer, INTERPRETER);
	put32(queue + java->queue_limit, CODE_END - INTERPRETER);
}

/* ---- what memory says of a method ---- */

/* Text that is cut where it does not fit; it may have any characters. */
struct java_text {
	char *out; /* DT_NAME_FUNCTION bytes */
	size_t n;
};

static inline void add_text(struct java_text *t, const char *from, size_t n)
{
	if (n > DT_NAME_FUNCTION - 1 - t->n)
		n = DT_NAME_FUNCTION - 1 - t->n;
	memcpy(t->out + t->n, from, n);
	t->n += n;
}

/* Adds the symbol at AT; if that has more than MOST characters, only the LAST of them. */
static inline bool add_symbol(struct java_text *t, uint64_t at, uint32_t most, bool last)
{
	char text[DT_NAME_FUNCTION];
	uint16_t length;
	uint32_t skip;

	if (!get(at + java->symbol_length, &length, sizeof(length)) || !length)
		return false;
	skip = last && length > most ? length - most : 0;
	if (length > most)
		length = (uint16_t)(most + skip);
	if (!get(at + java->symbol_body + skip, text, length - skip))
		return false;
	add_text(t, text, length - skip);
	return true;
}

static inline uint16_t get16(uint64_t at)
{
	uint16_t v = 0;

	get(at, &v, sizeof(v));
	return v;
}

static inline uint32_t get32(uint64_t at)
{
	uint32_t v = 0;

	get(at, &v, sizeof(v));
	return v;
}

/* Returns text I of a pool; 0: it is none. */
static inline uint64_t pool_text(uint64_t pool_at, uint32_t i)
{
	uint8_t tag;

	if (!i || i >= get32(pool_at + java->pool_length) ||
		!get(get64(pool_at + java->pool_tags) + java->array_u1_data + i, &tag, 1) ||
		tag != 1)
		return 0;
	return get64(pool_at + java->pool_size + 8ull * i);
}

/* Fills *OUT by what memory says of the method with this ConstMethod; false: it has no name. */
static inline bool describe_method(uint64_t constant, struct dt_name *out)
{
	uint64_t pool_at = get64(constant + java->const_constants), holder, text;
	struct java_text function = {.out = out->function}, file = {.out = out->file};

	memset(out, 0, sizeof(*out));
	holder = get64(pool_at + java->pool_holder);
	if (get64(get64(holder + java->klass_constants) + java->pool_holder) != holder ||
		!add_symbol(&function, get64(holder + java->klass_name), CLASS_MOST, true))
		return false;
	for (size_t i = 0; i < function.n; i++)
		if (out->function[i] == '/' || out->function[i] == '+')
			out->function[i] = out->function[i] == '/' ? '.' : '/';
	add_text(&function, ".", 1);
	text = pool_text(pool_at, get16(constant + java->const_name));
	if (!text || !add_symbol(&function, text, DT_NAME_FUNCTION - 1, false))
		return false;
	text = pool_text(pool_at, get16(pool_at + java->pool_source));
	if (text)
		add_symbol(&file, text, DT_NAME_FILE - 1, true);
	return true;
}

#endif
