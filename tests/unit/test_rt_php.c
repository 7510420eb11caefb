// SPDX-License-Identifier: Apache-2.0
/*
 * The walker of PHP's frames over memory that is not what it should be: random words, random words
 * of which many are pointers and tags, a well-formed heap in which single words have changed.  It
 * ends, and each name that it gives is made of the strings of a function.
 */
#include "rt_walk.h"

#include "abi/managed.h"

#define CURRENT (BASE + 16384)

static const struct dt_php *const php = &proc.php;

static void use_offsets(void)
{
	proc.php = (struct dt_php){
		.loop = (uint64_t)loop_code,
		.loop_size = 64,
		.dispatch = LOOP_IP,
		.current = CURRENT,
		.frame_opline = 0,
		.frame_value = 16,
		.frame_function = 24,
		.frame_info = 40,
		.frame_previous = 48,
		.function_name = 8,
		.function_scope = 16,
		.function_last = 80,
		.function_opcodes = 88,
		.function_file = 152,
		.function_line = 160,
		.class_name = 8,
		.op_size = 32,
		.op_line = 24,
		.generator_children = 96,
		.generator_child = 104,
		.generator_frame = 56,
		.generator_fake = 112,
	};
	use_proc();
}

/* ---- a well-formed heap ---- */

enum { INTERNAL = 1, USER = 2, EVAL = 4 };
enum { TOP = 1 << 17, GENERATOR = 1 << 24, STATIC = 1 << 4 };

#define LONG_DIR  "0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/"
#define LONG_FILE LONG_DIR LONG_DIR "\xc3\xa9\xc3\xa9/x.php"
/* of which the last 159 bytes begin within a character when it is cut */
#define CUT_FILE LONG_DIR LONG_DIR "\xc3\xa9\xc3\xa9/xy.php"

struct function {
	uint8_t type;
	uint32_t flags;
	const char *class, *name, *file;
	const char *shown;
};

static const struct function functions[] = {
	{USER, 0, "Shop", "buy", "/a/b.php", "Shop->buy"},
	{USER, STATIC, "Shop", "caf\xc3\xa9", LONG_FILE, "Shop::caf\xc3\xa9"},
	{INTERNAL, 0, NULL, "array_map", NULL, "array_map"},
	{USER, 0, NULL, "{closure}", CUT_FILE, "{closure}"},
	{EVAL, 0, NULL, NULL, "/a/b.php(3) : eval()'d code", "{eval}"},
	{USER, 0, NULL, NULL, "/a/b.php", "{main}"},
};

#define FRAMES (sizeof(functions) / sizeof(functions[0]))

/* Frames of each execute_ex(); the first one's only frame is a generator that is delegated to. */
static const unsigned per_loop[] = {2, 1, 3};

#define LOOPS (sizeof(per_loop) / sizeof(per_loop[0]))

static uint64_t make_string(const char *text)
{
	size_t len = strlen(text);
	uint64_t at = take(24 + len + 1);

	put32(at + 4, 6 | 1 << 6);
	put64(at + 8, rnd() | 1ull << 63);
	put64(at + 16, len);
	put(at + 24, text, len + 1);
	return at;
}

static uint64_t make_function(const struct function *f, uint32_t line)
{
	uint64_t at = take(168), class, ops;

	put(at, &f->type, 1);
	put32(at + 4, f->flags);
	if (f->name)
		put64(at + php->function_name, make_string(f->name));
	if (f->class) {
		class = take(64);
		put64(class + php->class_name, make_string(f->class));
		put64(at + php->function_scope, class);
	}
	if (f->type == INTERNAL)
		return at;
	ops = take(4 * php->op_size);
	for (uint32_t i = 0; i < 4; i++)
		put32(ops + i * php->op_size + php->op_line, line + i);
	put64(at + php->function_opcodes, ops);
	put32(at + php->function_last, 4);
	put64(at + php->function_file, make_string(f->file));
	put32(at + php->function_line, line);
	return at;
}

static uint32_t first_line(unsigned i)
{
	return functions[i].type == INTERNAL ? 0 : 100 * (i + 1);
}

static uint64_t make_frame(unsigned i, uint64_t previous, uint32_t info)
{
	uint64_t at = take(80), function = make_function(&functions[i], first_line(i));

	if (functions[i].type != INTERNAL)
		put64(at + php->frame_opline,
			get64(function + php->function_opcodes) + 2 * php->op_size);
	put64(at + php->frame_function, function);
	put32(at + php->frame_info, info);
	put64(at + php->frame_previous, previous);
	return at;
}

/* Frame 0 is what frame 1, a generator as well, delegates to: that one is in no list. */
static uint64_t make_generators(uint64_t previous)
{
	uint64_t root = take(200), leaf = take(200), fake = leaf + php->generator_fake, frame;

	put64(fake + php->frame_previous, previous);
	put64(leaf + php->generator_frame, make_frame(1, 0, TOP | GENERATOR));
	put32(root + php->generator_children, 1);
	put64(root + php->generator_child, leaf);
	frame = make_frame(0, fake, TOP | GENERATOR);
	put64(frame + php->frame_value, root);
	return frame;
}

static void make_php(void)
{
	uint64_t next = 0;
	unsigned i = FRAMES;

	empty_arena();
	make_natives(2 * LOOPS);
	for (unsigned loop = LOOPS; loop-- > 1;)
		for (unsigned k = 0; k < per_loop[loop]; k++) {
			i--;
			next = make_frame(i, next, k ? 0 : TOP);
		}
	CHECK_INT(i, 2);
	put64(CURRENT, make_generators(next));
	CHECK(heap_end <= ARENA_END);
}

/* ---- names ---- */

struct string {
	uint64_t key, at, len;
};

static bool get_string(uint64_t at, struct string *s)
{
	uint8_t head[24];

	if (!get(at, head, sizeof(head)) || (head[4] & 15) != 6)
		return false;
	s->at = at + 24;
	s->len = get64(at + 16);
	s->key = get64(at + 8) ? get64(at + 8) : at;
	return s->len < 1 << 20;
}

/* Adds bytes FROM.. of S, up to a NUL, to OUT; what does not fit is cut between characters. */
static bool add_string(const struct string *s, uint64_t from, char out[DT_NAME_FUNCTION])
{
	size_t at = strlen(out), most = DT_NAME_FUNCTION - 1 - at;
	uint64_t n = s->len - from < most ? s->len - from : most, last;

	for (uint64_t i = 0; i < n; i++) {
		if (!get(s->at + from + i, out + at, 1))
			return false;
		if (!out[at++])
			return true;
	}
	out[at] = '\0';
	if (n == s->len - from)
		return true;
	for (last = at; last-- > 0 && at - last <= 4;) {
		uint8_t c = (uint8_t)out[last];
		size_t size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;

		if ((c & 0xc0) == 0x80)
			continue;
		if (c >= 0xc0 && at - last < size)
			out[last] = '\0';
		break;
	}
	return true;
}

static bool add_path(const struct string *s, char out[DT_NAME_FILE])
{
	uint64_t from = s->len > DT_NAME_FILE - 1 ? s->len - (DT_NAME_FILE - 1) : 0;
	uint8_t c;

	for (int i = 0; from && i < 3; i++, from++)
		if (!get(s->at + from, &c, 1) || (c & 0xc0) != 0x80)
			break;
	return add_string(s, from, out);
}

/* True if the bytes at AT, of a function of TYPE, are what N names. */
static bool is_named(const struct dt_name *n, uint64_t at, uint8_t type)
{
	uint64_t name = get64(at + php->function_name), class = get64(at + php->function_scope);
	char text[DT_NAME_FUNCTION] = "", path[DT_NAME_FILE] = "";
	struct string s;
	uint32_t flags = (uint32_t)get64(at + 4);

	if (class) {
		if (!get_string(get64(class + php->class_name), &s) || s.key != n->key[2] ||
			!add_string(&s, 0, text))
			return false;
		strncat(text, flags & STATIC ? "::" : "->", sizeof(text) - 1 - strlen(text));
	}
	if (name) {
		if (!get_string(name, &s) || s.key != n->key[1] || !add_string(&s, 0, text))
			return false;
	} else {
		strncat(text, type == EVAL ? "{eval}" : "{main}", sizeof(text) - 1 - strlen(text));
	}
	if (type != INTERNAL &&
		(!get_string(get64(at + php->function_file), &s) || s.key != n->key[3] ||
			!add_path(&s, path)))
		return false;
	return !strcmp(text, n->function) && !strcmp(path, n->file);
}

static void check_name(const struct dt_name *n)
{
	bool found = false;

	CHECK_INT(n->key[0], (uint64_t)getpid() << 32 | n->line);
	for (uint64_t at = BASE; at < ARENA_END - 24 && !found; at++) {
		uint8_t type = 0;
		uint32_t line = 0;

		get(at, &type, 1);
		if (type == USER || type == EVAL) {
			if (!get(at + php->function_line, &line, 4) || line != n->line)
				continue;
		} else if (type != INTERNAL || n->line) {
			continue;
		}
		found = is_named(n, at, type);
	}
	CHECK(found);
}

static const struct walk_checks checks = {.name = check_name};

/* ---- tests ---- */

static void check_file(const char *got, const char *want)
{
	size_t len = want ? strlen(want) : 0, from = len > 159 ? len - 159 : 0;

	while (want && from && (want[from] & 0xc0) == 0x80)
		from++;
	CHECK_STR(got, want ? want + from : "");
}

/* The well-formed heap has these frames, and no others. */
static void test_intact(void)
{
	unsigned at = 1, frame = 0;

	make_php();
	walk_round(&checks);
	CHECK(frames[0] == (uint64_t)on_return);
	for (unsigned loop = 0; loop < LOOPS; loop++) {
		for (unsigned n = per_loop[loop]; n > 0; n--, frame++, at++) {
			const struct dt_name *name = name_of(frames[at]);
			bool internal = functions[frame].type == INTERNAL;

			CHECK(name != NULL);
			if (!name)
				return;
			CHECK_STR(name->function, functions[frame].shown);
			check_file(name->file, functions[frame].file);
			CHECK_INT(name->line, first_line(frame));
			CHECK_INT(DT_FRAME_LINE(frames[at]), internal ? 0 : first_line(frame) + 2);
			CHECK_INT(DT_FRAME_KIND(frames[at]),
				internal ? DT_KIND_NATIVE : DT_KIND_INTERPRETED);
		}
		CHECK(frames[at++] == OTHER_IP);
	}
	CHECK_INT(nframes, at);
	CHECK_INT(nnames, FRAMES);
}

/* The class of an anonymous class has a NUL and a path after its name; a long name is cut. */
static void test_texts(void)
{
	static const char anonymous[] = "class@anonymous\0" LONG_FILE ":3$0";
	char word[400] = "";
	uint64_t frame, function, class;

	for (int i = 0; i < 199; i++)
		strcat(word, "\xc3\xa9");
	empty_arena();
	make_natives(2);
	frame = make_frame(0, 0, TOP);
	put64(CURRENT, frame);
	function = get64(frame + php->frame_function);
	class = make_string(word);
	put(class + 24, anonymous, sizeof(anonymous));
	put64(class + 16, sizeof(anonymous) - 1);
	put64(get64(function + php->function_scope) + php->class_name, class);
	walk_round(&checks);
	CHECK(nnames == 1 && !strcmp(names[0].function, "class@anonymous->buy"));
	put64(function + php->function_scope, 0);
	put64(function + php->function_name, make_string(word));
	walk_round(&checks);
	CHECK(nnames == 1 && strlen(names[0].function) == 158);
	/* an opcode that is not the function's: the line where it begins */
	put64(frame + php->frame_opline, HEAP);
	walk_round(&checks);
	CHECK(nframes > 1 && frames[1] & DT_FRAME_FIRST_LINE && DT_FRAME_LINE(frames[1]) == 100);
}

/* A word that is often what the walker asks for. */
static uint64_t any_word(void)
{
	switch (rnd() % 8) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 64;
	case 2: /* the head of a string or a function */
		return (6 | rnd() % 2 << 6) << 32 | rnd() % 5;
	case 3:
		return TOP | rnd() % 2 << 24;
	default:
		return HEAP + rnd() % ((ARENA_END - HEAP) / 16) * 16;
	}
}

static void test_random(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = rnd();
	make_natives(NATIVES - 1);
	put64(CURRENT, HEAP);
	walk_round(&checks);
}

static void test_pointers(void)
{
	for (unsigned i = 0; i < ARENA / 8; i++)
		arena[i] = any_word();
	make_natives(NATIVES - 1);
	put64(CURRENT, HEAP);
	walk_round(&checks);
}

static void test_corrupted(void)
{
	make_php();
	damage(rnd() % 4 ? HEAP : STACK, heap_end, 1 + rnd() % 6);
	walk_round(&checks);
}

#define ROUNDS 2000

int main(void)
{
	walk_begin(DT_LANG_PHP);
	use_offsets();
	test_intact();
	test_texts();
	for (unsigned i = 0; i < rounds(ROUNDS) && !test_failed; i++) {
		test_random();
		test_pointers();
		test_corrupted();
	}
	test_intact();
	return walk_end();
}
