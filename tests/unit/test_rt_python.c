// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of Python's frames over memory that is not what it should be: random words, random
 * words of which many are pointers and types, a well-formed heap in which single words have
 * changed.  It ends, and each name that it gives is the text of a str of a code object.
 */
#include "rt_walk.h"

#include "abi/managed.h"

#define RUNTIME (BASE + 16384)
#define TYPE(i) (BASE + 12288 + 64 * (i))

/* ---- a native stack ---- */

/* Where native frame I, from 1 on, has its variables. */
static uint64_t native_frame(unsigned i)
{
	return STACK + NATIVE * (i - 1) + 64;
}

/* ---- Python's structures ---- */

enum { CODE, STR, BYTES };

#define NONE DT_MANAGED_NONE

/* Offsets are made up, one kind of list of frames each. */
#define COMMON                                                                                    \
	.interpreters = 32, .interp_next = 0, .interp_threads = 8, .thread_next = 8,              \
	.thread_id = 136, .code_line = 72, .code_file = 112, .code_name = 128, .code_lines = 136, \
	.code_code = 192, .ascii_size = 40, .compact_size = 56, .tss_key = 64
static const struct dt_python kinds[] = {
	/* as in 3.9 */
	{COMMON, .lines = DT_PYTHON_LNOTAB, .thread_frame = 24, .thread_cframe = NONE,
		.cframe_frame = NONE, .cframe_previous = NONE, .frame_code = 32,
		.frame_previous = 24, .frame_instr = 104, .frame_entry = NONE, .frame_owner = NONE},
	/* 3.10 */
	{COMMON, .lines = DT_PYTHON_LINES, .thread_frame = 24, .thread_cframe = 48,
		.cframe_frame = NONE, .cframe_previous = 8, .frame_code = 32, .frame_previous = 24,
		.frame_instr = 96, .frame_entry = NONE, .frame_owner = NONE},
	/* 3.11 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = NONE, .thread_cframe = 56,
		.cframe_frame = 8, .cframe_previous = 16, .frame_code = 32, .frame_previous = 48,
		.frame_instr = 56, .frame_entry = 68, .frame_owner = NONE},
	/* 3.12 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = NONE, .thread_cframe = 56,
		.cframe_frame = 0, .cframe_previous = 8, .frame_code = 0, .frame_previous = 8,
		.frame_instr = 56, .frame_entry = NONE, .frame_owner = 70},
	/* 3.13 */
	{COMMON, .lines = DT_PYTHON_LOCATIONS, .thread_frame = 72, .thread_cframe = NONE,
		.cframe_frame = NONE, .cframe_previous = NONE, .frame_code = 0, .frame_previous = 8,
		.frame_instr = 56, .frame_entry = NONE, .frame_owner = 70},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct dt_python *const py = &proc.python;
static pthread_key_t thread_key;

static void use_kind(const struct dt_python *kind, bool tss)
{
	proc.python = *kind;
	proc.python.eval = (uint64_t)loop_code;
	proc.python.eval_size = 64;
	proc.python.runtime = RUNTIME;
	proc.python.code_type = TYPE(CODE);
	proc.python.str_type = TYPE(STR);
	proc.python.bytes_type = TYPE(BYTES);
	proc.python.tss = tss;
	use_proc();
}

/* ---- a well-formed heap ---- */

#define FRAMES	 6
#define LONG_DIR "0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/"

/* WIDTH 0: ASCII; TEXT has characters of WIDTH bytes, UTF8 is what they are. */
struct text {
	unsigned width, length;
	const void *text;
	const char *utf8;
};

static const struct text functions[FRAMES] = {
	{0, 6, "handle", "handle"},
	{1, 4, "caf\xe9", "caf\xc3\xa9"},
	{2, 3, u"\u0438\u043c\u044f", "\xd0\xb8\xd0\xbc\xd1\x8f"},
	{4, 2, U"\U0001f600x", "\xf0\x9f\x98\x80x"},
	{0, 8, "<module>", "<module>"},
	{0, 1, "f", "f"},
};

static const struct text files[2] = {
	{0, 8, "/a/b.py\n", "/a/b.py\n"},
	{0, 2 * (sizeof(LONG_DIR) - 1) + 15, LONG_DIR LONG_DIR "0123456789/x.py",
		LONG_DIR LONG_DIR "0123456789/x.py"},
};

static uint64_t make_str(const struct text *t)
{
	uint32_t width = t->width ? t->width : 1,
		 kind = width << 2 | 1u << 5 | (uint32_t)!t->width << 6;
	uint64_t at = take(py->compact_size + (t->length + 1) * width);

	put64(at, 1);
	put64(at + 8, TYPE(STR));
	put64(at + 16, t->length);
	put64(at + 24, rnd());
	put64(at + 32, kind);
	put(at + (t->width ? py->compact_size : py->ascii_size), t->text, t->length * width);
	return at;
}

static uint32_t first_line(unsigned i)
{
	return 100 * (i + 1);
}

static uint32_t line(unsigned i)
{
	return first_line(i) + i + 1;
}

static uint64_t make_lines(unsigned i)
{
	const uint8_t lnotab[] = {4, (uint8_t)(i + 1), 200, 1},
		      lines[] = {4, 0, 100, (uint8_t)(i + 1)},
		      locations[] = {0x80 | 13 << 3 | 7, (uint8_t)((i + 1) << 1)};
	uint64_t at = take(48);

	put64(at + 8, TYPE(BYTES));
	put64(at + 16, py->lines == DT_PYTHON_LOCATIONS ? sizeof(locations) : sizeof(lines));
	put(at + 32,
		py->lines == DT_PYTHON_LNOTAB	       ? lnotab
			: py->lines == DT_PYTHON_LINES ? lines
						       : locations,
		py->lines == DT_PYTHON_LOCATIONS ? sizeof(locations) : sizeof(lines));
	return at;
}

static uint64_t make_code(unsigned i)
{
	uint64_t at = take(256);
	uint32_t first = first_line(i);

	put64(at + 8, TYPE(CODE));
	put(at + py->code_line, &first, sizeof(first));
	put64(at + py->code_name, make_str(&functions[i]));
	put64(at + py->code_file, make_str(&files[i & 1]));
	put64(at + py->code_lines, make_lines(i));
	return at;
}

static void make_frame(uint64_t at, unsigned i, uint64_t previous, bool last)
{
	uint64_t code = make_code(i);
	uint32_t instr = py->lines == DT_PYTHON_LNOTAB ? 6 : 3;

	put64(at + py->frame_code, code);
	put64(at + py->frame_previous, previous);
	if (py->lines == DT_PYTHON_LOCATIONS)
		put64(at + py->frame_instr, code + py->code_code + 2 * instr);
	else
		put(at + py->frame_instr, &instr, sizeof(instr));
	if (py->frame_entry != NONE)
		put(at + py->frame_entry, &last, 1);
}

/* Python frames of loop I of those that have several each. */
static const unsigned per_loop[] = {2, 1, 3};

static bool is_single(void)
{
	return py->frame_entry == NONE && py->frame_owner == NONE;
}

static unsigned loops(void)
{
	return is_single() ? FRAMES : sizeof(per_loop) / sizeof(per_loop[0]);
}

static uint64_t thread;

/* What tells which frames there are: they, the thread's state, the native stack. */
static struct race frame_list[FRAMES + 2];

/* The frames are made from the outermost to the innermost, as are the loops. */
static void make_frames(uint64_t heads[FRAMES])
{
	unsigned i = FRAMES;
	uint64_t next = 0;

	for (unsigned loop = loops(); loop-- > 0;) {
		unsigned n = is_single() ? 1 : per_loop[loop];
		uint64_t end = native_frame(2 * loop + 1) + 64;
		const uint8_t owner = 3;

		if (py->frame_owner != NONE) { /* ends the loop's, in the C frame */
			put64(end + py->frame_previous, next);
			put(end + py->frame_owner, &owner, 1);
			next = end;
		}
		for (unsigned k = 0; k < n; k++) {
			uint64_t at = take(128);

			make_frame(at, --i, next, !k);
			frame_list[i] = (struct race){at, at + 128};
			next = at;
		}
		heads[loop] = next;
	}
	CHECK_INT(i, 0);
}

static void make_python(bool intact_only)
{
	uint64_t heads[FRAMES] = {0}, interp, cframe = 0;
	uint32_t key = thread_key;

	empty_arena();
	make_natives(2 * loops());
	interp = take(64);
	thread = take(160);
	put64(RUNTIME + py->interpreters, interp);
	put(RUNTIME + py->tss_key, &key, sizeof(key));
	put64(interp + py->interp_threads, thread);
	put64(thread + py->thread_id, (uint64_t)pthread_self());
	make_frames(heads);
	if (py->thread_frame != NONE)
		put64(thread + py->thread_frame, heads[0]);
	for (unsigned loop = loops(); py->thread_cframe != NONE && loop-- > 0;) {
		uint64_t at = native_frame(2 * loop + 1);

		put64(at + py->cframe_previous, cframe);
		if (py->cframe_frame != NONE)
			put64(at + py->cframe_frame, heads[loop]);
		put64(thread + py->thread_cframe, cframe = at);
	}
	frame_list[FRAMES] = (struct race){thread, thread + 160};
	frame_list[FRAMES + 1] = (struct race){STACK, STACK + NATIVE * 2 * loops()};
	pthread_setspecific(thread_key, (void *)thread);
	CHECK(!intact_only || heap_end <= BASE + ARENA);
}

/* ---- names ---- */

struct str {
	uint64_t at, length, hash;
	uint32_t width, kind;
};

static bool get_str(uint64_t at, struct str *s)
{
	uint8_t head[40];

	if (!get(at, head, sizeof(head)) || get64(at + 8) != TYPE(STR))
		return false;
	s->at = at;
	s->length = get64(at + 16);
	s->hash = get64(at + 24);
	s->kind = (uint32_t)get64(at + 32);
	s->width = s->kind >> 2 & 7;
	return s->length < 1 << 20 && s->kind & 32 &&
		(s->width == 1 || s->width == 2 || s->width == 4);
}

/* Converts characters SKIP.. of S: 0; 1: there were more; -1: they are no text. */
static int convert(const struct str *s, uint64_t skip, char out[DT_NAME_FUNCTION])
{
	uint64_t from =
		s->at + (s->kind & 64 ? py->ascii_size : py->compact_size) + skip * s->width;
	uint64_t n = s->length - skip;
	uint32_t high = 0;
	size_t at = 0;
	int cut = 0;

	if (n > DT_NAME_FUNCTION - 1) {
		n = DT_NAME_FUNCTION - 1;
		cut = 1;
	}
	if (n && !get(from + (n - 1) * s->width, &(uint32_t){0}, s->width))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t c = 0;

		get(from + i * s->width, &c, s->width);
		if (c > 0x10ffff)
			return -1;
		if (s->width == 2 && (c & 0xfc00) == 0xd800) {
			high = c;
			continue;
		}
		if (high && (c & 0xfc00) == 0xdc00)
			c = 0x10000 + ((high & 0x3ff) << 10) + (c & 0x3ff);
		high = 0;
		if (!add_utf8(out, &at, c)) {
			cut = 1;
			break;
		}
	}
	out[at] = '\0';
	return cut;
}

/* The same of a file, without its beginning if it is too long. */
static int convert_path(const struct str *s, char out[DT_NAME_FILE])
{
	uint64_t longest = (DT_NAME_FILE - 1) / (s->width == 4 ? 4 : s->width + 1),
		 skip = s->length > DT_NAME_FILE - 1 ? s->length - (DT_NAME_FILE - 1) : 0;
	int err = convert(s, skip, out);

	if (err <= 0)
		return err;
	return convert(s, s->length > longest ? s->length - longest : 0, out);
}

/* The key of a name says where the code object and its strs are; they have what N has. */
static void check_name(const struct dt_name *n)
{
	const uint64_t low = (1ull << 40) - 1;
	uint64_t code = n->key[1] & low, name = n->key[2] & low;
	uint64_t file = n->key[1] >> 40 | n->key[2] >> 40 << 24;
	char text[DT_NAME_FUNCTION];
	struct str s;
	uint32_t first = 0;

	CHECK_INT(n->key[0] >> 32, getpid());
	CHECK_INT(get64(code + 8), TYPE(CODE));
	CHECK_INT(get64(code + py->code_name), name);
	CHECK_INT(get64(code + py->code_file), file);
	CHECK(get(code + py->code_line, &first, sizeof(first)));
	CHECK_INT(n->line, first);
	CHECK(get_str(name, &s));
	CHECK(n->key[3] == (s.hash ^ s.length << 48));
	CHECK(convert(&s, 0, text) >= 0);
	CHECK_STR(n->function, text);
	CHECK(get_str(file, &s));
	CHECK(convert_path(&s, text) >= 0);
	CHECK_STR(n->file, text);
}

static const struct walk_checks checks = {.name = check_name};

/* ---- tests ---- */

static void check_file(const char *got, const char *want)
{
	size_t len = strlen(want), most = DT_NAME_FILE - 1;

	CHECK_STR(got, len > most ? want + len - most : want);
}

/* The well-formed heap has these frames, and no others. */
static void test_intact(void)
{
	unsigned at = 1, frame = 0;

	forget();
	make_python(true);
	walk_round(&checks);
	CHECK(frames[0] == (uint64_t)on_return);
	for (unsigned loop = 0; loop < loops(); loop++) {
		for (unsigned n = is_single() ? 1 : per_loop[loop]; n > 0; n--, frame++, at++) {
			const struct dt_name *name = name_of(frames[at]);

			CHECK(name != NULL);
			if (!name)
				return;
			CHECK_STR(name->function, functions[frame].utf8);
			check_file(name->file, files[frame & 1].utf8);
			CHECK_INT(name->line, first_line(frame));
			CHECK_INT(DT_FRAME_LINE(frames[at]), line(frame));
		}
		CHECK(frames[at++] == OTHER_IP);
	}
	CHECK_INT(nframes, at);
	CHECK_INT(nnames, FRAMES);
}

/* A word that is often what the walker asks for. */
static uint64_t any_word(void)
{
	switch (rnd() % 8) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 64;
	case 2:
		return TYPE(rnd() % 3);
	case 3:
		return (uint64_t)pthread_self();
	case 4:
		return STACK + rnd() % (STACK_TOP - STACK);
	case 5: /* the kind of a str */
		return (1 + rnd() % 4) << 2 | 1 << 5 | rnd() % 2 << 6;
	default:
		return HEAP + rnd() % ((BASE + ARENA - HEAP) / 16) * 16;
	}
}

/* (a) */
static void test_random(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = rnd();
	make_natives(NATIVES - 1);
	put64(RUNTIME + py->interpreters, HEAP);
	if (rnd() & 1)
		put64(HEAP + py->interp_next, 0);
	put64(HEAP + py->interp_threads, HEAP + 256);
	put64(HEAP + 256 + py->thread_id, (uint64_t)pthread_self());
	walk_round(&checks);
}

/* (b): objects are at multiples of 16, so their types are often where they should be. */
static void test_pointers(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = i & 1 && rnd() & 1 ? TYPE(rnd() % 2) : any_word();
	make_natives(NATIVES - 1);
	put64(RUNTIME + py->interpreters, HEAP);
	put64(HEAP + py->interp_next, rnd() % 4 ? 0 : HEAP + 512);
	put64(HEAP + py->interp_threads, HEAP + 256);
	put64(HEAP + 256 + py->thread_id, (uint64_t)pthread_self());
	walk_round(&checks);
}

/* (c) */
static void test_corrupted(void)
{
	make_python(false);
	for (uint64_t n = 1 + rnd() % 4; n > 0; n--) {
		uint64_t at = rnd() % 4 ? HEAP + rnd() % ((heap_end - HEAP) / 8) * 8
					: native_frame(1 + (unsigned)(rnd() % 8)) + rnd() % 24 * 8;

		switch (rnd() % 3) {
		case 0:
			put64(at, rnd());
			break;
		case 1:
			put64(at, any_word());
			break;
		default:
			put64(at, get64(at) ^ 1ull << rnd() % 64);
			break;
		}
	}
	walk_round(&checks);
}

/* A second thread changes the lists of frames, then all of the memory, while walks run. */
static void test_raced(void)
{
	forget();
	make_python(true);
	walk_raced(frame_list, FRAMES + 2, &checks, rounds(300));
	walk_torn(rounds(300));
}

#define ROUNDS 1000 /* of each kind and way of filling */

static void test_kind(const struct dt_python *kind)
{
	use_kind(kind, true);
	test_intact();
	test_raced();
	use_kind(kind, false);
	test_intact();
	test_raced();
	for (unsigned i = 0; i < rounds(ROUNDS) && !test_failed; i++) {
		use_kind(kind, rnd() & 1);
		test_random();
		test_pointers();
		test_corrupted();
	}
	test_intact();
}

/* The thread's state has a key that is not among the first. */
static void test_far_key(void)
{
	while (thread_key < 2 * DT_GLIBC_KEYS)
		CHECK_INT(pthread_key_create(&thread_key, NULL), 0);
	for (unsigned i = 0; i < KINDS && !test_failed; i++) {
		use_kind(&kinds[i], true);
		test_intact();
	}
}

int main(void)
{
	walk_begin(DT_LANG_PYTHON);
	CHECK_INT(pthread_key_create(&thread_key, NULL), 0);
	for (unsigned i = 0; i < KINDS && !test_failed; i++)
		test_kind(&kinds[i]);
	test_far_key();
	return walk_end();
}
