// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of Ruby's frames over memory that is not what it should be: random words, random words
 * of which many are pointers and tags, a well-formed heap in which single words have changed.  It
 * ends, and each name that it gives is made of the Strings of an iseq.
 */
#include "rt_walk.h"

#include "abi/managed.h"

#define TLS   (BASE + 16384)
#define EC    (BASE + 16448)
#define CALLS (BASE + 20480) /* the control frames: HEAP, where they are damaged as well */

static const struct dt_ruby *const ruby = &proc.ruby;

static void use_offsets(void)
{
	proc.ruby = (struct dt_ruby){
		.exec = (uint64_t)loop_code,
		.exec_size = 64,
		.tls = TLS,
		.ec_frame = 16,
		.frame_size = 64,
		.frame_pc = 0,
		.frame_iseq = 16,
		.frame_env = 32,
		.iseq_body = 16,
		.body_size = 4,
		.body_code = 8,
		.body_path = 64,
		.body_label = 80,
		.body_line = 88,
		.body_lines = 120,
		.body_lines_count = 136,
		.body_lines_index = 144,
		.line_size = 12,
	};
	use_proc();
}

/* ---- a well-formed heap ---- */

enum { FINISH = 0x20, CFRAME = 0x80, LONG = 1 << 13, METHOD = 0x11110001, CFUNC = 0x55550001 };

#define LONG_DIR "0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/"

struct method {
	const char *label, *path;
	uint32_t lines; /* entries of its table */
	uint32_t pos;	/* the instruction that it executes */
};

#define INSTRUCTIONS 1200

/* Numbers of entries and instructions for each part of the index. */
static const struct method methods[] = {
	{"spin_leaf", "/a/b.rb", 9, 40},
	{"block in middle", LONG_DIR LONG_DIR "\xc3\xa9\xc3\xa9/xy.rb", 400, 54},
	{"caf\xc3\xa9", "/a/b.rb", 400, 600},
	{"a method whose name is not kept in the object itself", "(eval)", 1, 0},
	{"<class:Shop>", "/a/b.rb", 400, 1199},
	{"<main>", "/a/b.rb", 0, 0},
};

#define FRAMES (sizeof(methods) / sizeof(methods[0]))

static const unsigned per_loop[] = {2, 1, 3};

#define LOOPS (sizeof(per_loop) / sizeof(per_loop[0]))

static uint64_t make_string(const char *text)
{
	size_t len = strlen(text);
	uint64_t at = take(40), to = at + 16, flags = 5 | len << 14;

	if (len > 23) {
		flags = 5 | LONG;
		to = take(len + 1);
		put64(at + 16, len);
		put64(at + 24, to);
	}
	put64(at, flags);
	put(to, text, len);
	return at;
}

/* A path is a String, an Array with its elements, or one that has them elsewhere. */
static uint64_t make_path(unsigned i)
{
	uint64_t string = make_string(methods[i].path), at, elements;

	if (i % 3 == 0)
		return string;
	at = take(40);
	elements = i % 3 == 1 ? at + 16 : take(16);
	put64(at, i % 3 == 1 ? 7 | 1 << 13 : 7);
	if (i % 3 == 2)
		put64(at + 32, elements);
	put64(elements, string);
	return at;
}

/* Entry K of a table of N begins at instruction K * INSTRUCTIONS / N. */
static uint32_t entry_at(uint32_t pos, uint32_t n)
{
	uint32_t k = 0;

	while (k + 1 < n && (k + 1) * INSTRUCTIONS / n <= pos)
		k++;
	return k;
}

static uint64_t make_index(uint32_t n)
{
	uint64_t at = take(48 + 3 * 80);

	for (uint32_t pos = 0; pos < 54; pos++) {
		uint64_t word = at + pos / 9 * 8;

		put64(word, get64(word) | (uint64_t)(entry_at(pos, n) + 1) << pos % 9 * 7);
	}
	for (uint32_t block = 0; block < 3; block++) {
		uint64_t to = at + 48 + block * 80, ranks = 0;
		uint32_t first = 54 + block * 512, before = entry_at(first - 1, n) + 1, seen = 0;

		put32(to, before);
		for (uint32_t i = 0; i < 512 && first + i < INSTRUCTIONS; i++) {
			uint64_t word = to + 16 + i / 64 * 8;
			bool begins = entry_at(first + i, n) != entry_at(first + i - 1, n);

			if (i && !(i % 64))
				ranks |= (uint64_t)seen << (i / 64 - 1) * 9;
			put64(word, get64(word) | (uint64_t)begins << i % 64);
			seen += begins;
		}
		put64(to + 8, ranks);
	}
	return at;
}

static uint32_t first_line(unsigned i)
{
	return 1000 * (i + 1);
}

/* Iseqs are made once: with their tables they fill most of the arena. */
static uint64_t make_iseq(unsigned i)
{
	const struct method *m = &methods[i];
	uint64_t at = take(40), body = take(152), lines;

	put64(at, 0x701a);
	put64(at + ruby->iseq_body, body);
	put32(body + ruby->body_size, INSTRUCTIONS);
	put64(body + ruby->body_code, HEAP); /* where it is does not matter */
	put64(body + ruby->body_path, make_path(i));
	put64(body + ruby->body_label, make_string(m->label));
	put64(body + ruby->body_line, first_line(i) << 1 | 1);
	put32(body + ruby->body_lines_count, m->lines);
	lines = take(m->lines * ruby->line_size);
	put64(body + ruby->body_lines, lines);
	for (uint32_t k = 0; k < m->lines; k++)
		put32(lines + k * ruby->line_size, first_line(i) + k);
	if (m->lines > 1)
		put64(body + ruby->body_lines_index, make_index(m->lines));
	return at;
}

static void make_frame(uint64_t at, uint64_t iseq, uint32_t pos, uint32_t flags)
{
	uint64_t env = take(16);

	put64(at + ruby->frame_pc, iseq ? HEAP + 8 * (pos + 1) : 0);
	put64(at + ruby->frame_iseq, iseq);
	put64(at + ruby->frame_env, env);
	put64(env, flags);
}

/* Where the thread's block of module 1 is: the first word after the vector's length. */
static uint64_t first_block(void)
{
	uint64_t dtv;

	__asm__("mov %%fs:8, %0" : "=r"(dtv));
	return *(uint64_t *)(dtv + 16);
}

static void put_thread(uint64_t frame, uint64_t end)
{
	put64(TLS, 1);
	put64(TLS + 8, TLS + 16 - first_block());
	put64(TLS + 16, EC);
	put64(EC, CALLS);
	put64(EC + 8, (end - CALLS) / 8);
	put64(EC + ruby->ec_frame, frame);
}

/* Between the frames of two loops there is one of a method in C, as below all. */
static void make_ruby(void)
{
	uint64_t at = CALLS;
	unsigned i = 0;

	empty_arena();
	make_natives(2 * LOOPS);
	take(64 * (FRAMES + LOOPS));
	for (unsigned loop = 0; loop < LOOPS; loop++) {
		for (unsigned k = per_loop[loop]; k > 0; k--, i++, at += 64)
			make_frame(
				at, make_iseq(i), methods[i].pos, METHOD | (k == 1 ? FINISH : 0));
		make_frame(at, 0, 0, CFUNC | CFRAME);
		at += 64;
	}
	CHECK_INT(i, FRAMES);
	put_thread(CALLS, at);
	CHECK(heap_end <= ARENA_END);
}

/* ---- names ---- */

struct string {
	uint64_t at, len;
};

static bool get_string(uint64_t at, struct string *s)
{
	uint64_t head[4];

	if (!get(at, head, sizeof(head)) || (head[0] & 31) != 5)
		return false;
	s->at = head[0] & LONG ? head[3] : at + 16;
	s->len = head[0] & LONG ? head[2] : head[0] >> 14 & 31;
	return s->len < 1 << 20;
}

static bool get_path(uint64_t at, struct string *s)
{
	uint64_t flags = get64(at);

	if ((flags & 31) == 7)
		at = get64(flags & LONG ? at + 16 : get64(at + 32));
	return get_string(at, s);
}

/* True if TEXT is what S has from byte FROM on: all of it, or as much as there is room for. */
static bool is_text(const struct string *s, uint64_t from, const char *text)
{
	size_t len = strlen(text);
	char have[DT_NAME_FUNCTION] = "";

	if (len > s->len - from || (len && !get(s->at + from, have, len)))
		return false;
	if (memcmp(have, text, len) != 0)
		return false;
	if (len == s->len - from || len > DT_NAME_FUNCTION - 5)
		return true;
	return get(s->at + from + len, have, 1) && !have[0];
}

static bool is_path(const struct string *s, const char *text)
{
	uint64_t from = s->len > DT_NAME_FILE - 1 ? s->len - (DT_NAME_FILE - 1) : 0;

	for (int i = 0; i < 4; i++)
		if (from + i <= s->len && is_text(s, from + i, text))
			return true;
	return false;
}

/* Some iseq has the Strings that N is made of. */
static void check_name(const struct dt_name *n)
{
	bool found = false;

	CHECK_INT(n->key[0], (uint64_t)getpid() << 32 | n->line);
	for (uint64_t at = BASE; at < ARENA_END - 24 && !found; at++) {
		uint64_t body = get64(at + ruby->iseq_body);
		struct string label, path;

		if ((get64(at) & 0xf01f) != 0x701a ||
			get64(body + ruby->body_line) != ((uint64_t)n->line << 1 | 1) ||
			!get_string(get64(body + ruby->body_label), &label) ||
			!get_path(get64(body + ruby->body_path), &path))
			continue;
		found = n->key[1] == (label.at ^ label.len << 48) &&
			n->key[2] == (path.at ^ path.len << 48) &&
			is_text(&label, 0, n->function) && is_path(&path, n->file);
	}
	CHECK(found);
}

static const struct walk_checks checks = {.name = check_name};

/* ---- tests ---- */

/* The well-formed heap has these frames, and no others. */
static void test_intact(void)
{
	unsigned at = 1, i = 0;

	make_ruby();
	walk_round(&checks);
	CHECK(frames[0] == (uint64_t)on_return);
	for (unsigned loop = 0; loop < LOOPS; loop++) {
		for (unsigned n = per_loop[loop]; n > 0; n--, i++, at++) {
			const struct dt_name *name = name_of(frames[at]);
			const char *path = methods[i].path;
			uint32_t lines = methods[i].lines;

			CHECK(name != NULL);
			if (!name)
				return;
			CHECK_STR(name->function, methods[i].label);
			if (strlen(path) < DT_NAME_FILE)
				CHECK_STR(name->file, path);
			CHECK_INT(name->line, first_line(i));
			CHECK_INT(DT_FRAME_LINE(frames[at]),
				first_line(i) + (lines ? entry_at(methods[i].pos, lines) : 0));
			CHECK_INT(!(frames[at] & DT_FRAME_FIRST_LINE), lines != 0);
		}
		CHECK(frames[at++] == OTHER_IP);
	}
	CHECK_INT(nframes, at);
	CHECK_INT(nnames, FRAMES);
}

/* The index of lines says the same as the table that it was made of, for each instruction. */
static void test_lines(void)
{
	const unsigned i = 2;
	uint64_t iseq;

	empty_arena();
	make_natives(2);
	take(128);
	iseq = make_iseq(i);
	for (uint32_t pos = 0; pos < INSTRUCTIONS; pos++) {
		make_frame(CALLS, iseq, pos, METHOD | FINISH);
		heap_end -= 16;
		put_thread(CALLS, CALLS + 64);
		walk_round(&checks);
		CHECK_INT(
			DT_FRAME_LINE(frames[1]), first_line(i) + entry_at(pos, methods[i].lines));
		if (test_failed)
			return;
	}
}

/* A word that is often what the walker asks for. */
static uint64_t any_word(void)
{
	switch (rnd() % 8) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 64 << 1 | 1;
	case 2: /* flags of an iseq, a String, an Array */
		return (uint64_t[]){0x701a, 5 | 20 << 14, 5 | LONG, 7, 7 | LONG}[rnd() % 5];
	case 3: /* of a frame */
		return METHOD | (rnd() % 2 ? FINISH : 0) | (rnd() % 4 ? 0 : CFRAME);
	default:
		return HEAP + rnd() % ((ARENA_END - HEAP) / 16) * 16;
	}
}

static void test_random(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = rnd();
	make_natives(NATIVES - 1);
	put_thread(CALLS, ARENA_END);
	walk_round(&checks);
}

static void test_pointers(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = any_word();
	make_natives(NATIVES - 1);
	put_thread(CALLS, ARENA_END);
	walk_round(&checks);
}

static void test_corrupted(void)
{
	make_ruby();
	switch (rnd() % 4) {
	case 0:
		damage(TLS, EC + 64, 1);
		break;
	case 1:
		damage(CALLS, CALLS + 64 * (FRAMES + LOOPS), 1 + rnd() % 4);
		break;
	default:
		damage(HEAP, heap_end, 1 + rnd() % 64);
	}
	walk_round(&checks);
}

#define ROUNDS 1000

int main(void)
{
	walk_begin(DT_LANG_RUBY);
	use_offsets();
	test_intact();
	test_lines();
	for (unsigned i = 0; i < rounds(ROUNDS) && !test_failed; i++) {
		test_random();
		test_pointers();
		test_corrupted();
	}
	test_intact();
	return walk_end();
}
