// SPDX-License-Identifier: Apache-2.0
/*
 * The editor of class files: what it writes can be read, branches and switches lead to
 * instructions, and what has no room is refused.  With files as arguments it edits them, all
 * methods, for tests/live/java/edit.sh, which runs them in a VM.
 */
#include "../../src/managed/java_agent/edit.c"

#include "../../src/managed/java_agent/code.c"

#include "test.h"

#define HELPER "dtrace/Probes"

/* ---- editing all methods ---- */

static char *pool_text(const struct constants *p, unsigned i)
{
	const uint8_t *e = p->at[i];

	return strndup((const char *)e + 3, (size_t)(e[1] << 8 | e[2]));
}

/* The methods of IN, which stands after the pool, to EDITS; their number. */
static unsigned all_methods(struct in *in, const struct constants *p, struct method_edit *edits)
{
	unsigned n = 0;

	in_skip(in, 6);
	in_skip(in, 2 * in_u2(in));
	for (int methods = 0; methods < 2; methods++)
		for (unsigned count = in_u2(in); count && !in->bad; count--) {
			unsigned name, desc;
			struct class_bytes none = {0};

			in_skip(in, 2);
			name = in_u2(in);
			desc = in_u2(in);
			copy_attributes(in, &none);
			free(none.p);
			if (!methods)
				continue;
			edits[n] = (struct method_edit){.name = pool_text(p, name),
				.desc = pool_text(p, desc),
				.number = (uint16_t)(n & 0x3fff),
				.entry = true,
				.ret = true,
				.args = true};
			n++;
		}
	return n;
}

static uint8_t *edit_all(const uint8_t *data, size_t len, size_t *out, const char **why)
{
	struct method_edit *edits = calloc(65536, sizeof(*edits));
	struct in in = {data, data + len, false};
	struct constants p = {0};
	uint8_t *edited;
	unsigned n;

	in_skip(&in, 8);
	read_pool(&in, &p);
	n = all_methods(&in, &p, edits);
	edited = edit_class(data, len, HELPER, edits, n, out, why);
	for (unsigned i = 0; i < n; i++) {
		free((char *)edits[i].name);
		free((char *)edits[i].desc);
	}
	free(p.at);
	free(edits);
	return edited;
}

/* Edits file PATH in place; a class that is refused is told of and stays. */
static int edit_file(const char *path)
{
	FILE *f = fopen(path, "r+");
	uint8_t *data = malloc(1 << 24), *edited;
	const char *why;
	size_t len, out;

	if (!f)
		return 1;
	len = fread(data, 1, 1 << 24, f);
	edited = edit_all(data, len, &out, &why);
	if (edited) {
		rewind(f);
		fwrite(edited, 1, out, f);
	} else {
		printf("%s: %s\n", path, why);
	}
	free(edited);
	free(data);
	return fclose(f) != 0;
}

/* ---- classes ---- */

enum { NOP = 0, ICONST_0 = 3, GOTO = 167 };

static struct method_edit edit = {"m", "()V", 7, true, true, false};

static void add_text(struct class_bytes *o, const char *text)
{
	out_u1(o, UTF8);
	out_u2(o, (unsigned)strlen(text));
	out_bytes(o, text, strlen(text));
}

/* A class with FILL constants of two slots and a method m()V of CODE, LEN bytes. */
static struct class_bytes class_with(const uint8_t *code, uint32_t len, unsigned fill)
{
	struct class_bytes o = {0};

	out_u4(&o, 0xcafebabe);
	out_u4(&o, 49); /* without stack map frames */
	out_u2(&o, 6 + 2 * fill);
	for (unsigned i = 0; i < fill; i++) {
		out_u1(&o, i & 1 ? LONG : DOUBLE);
		out_u4(&o, i);
		out_u4(&o, 0);
	}
	add_text(&o, "T");
	out_u1(&o, CLASS);
	out_u2(&o, 1 + 2 * fill);
	add_text(&o, "m");
	add_text(&o, "()V");
	add_text(&o, "Code");
	out_u2(&o, 0x21);
	out_u2(&o, 2 + 2 * fill);
	out_u2(&o, 0);
	out_u4(&o, 0); /* interfaces, fields */
	out_u2(&o, 1);
	out_u2(&o, 9); /* public static */
	out_u2(&o, 3 + 2 * fill);
	out_u2(&o, 4 + 2 * fill);
	out_u2(&o, 1);
	out_u2(&o, 5 + 2 * fill);
	out_u4(&o, 12 + len);
	out_u2(&o, 2);
	out_u2(&o, 2);
	out_u4(&o, len);
	out_bytes(&o, code, len);
	out_u2(&o, 0);
	out_u2(&o, 0);
	out_u2(&o, 0);
	return o;
}

/* The edited code, with the place that the class has for it in *CLASS; NULL: WHY. */
static const uint8_t *edited_code(const uint8_t *code, uint32_t len, unsigned fill,
	uint32_t *new_len, uint8_t **class, const char **why)
{
	struct class_bytes c = class_with(code, len, fill);
	struct constants p = {0};
	struct in in;
	size_t n;

	*class = edit_class(c.p, c.n, HELPER, &edit, 1, &n, why);
	free(c.p);
	if (!*class)
		return NULL;
	in = (struct in){*class + 8, *class + n, false};
	read_pool(&in, &p);
	free(p.at);
	in_skip(&in, 6 + 2 + 2 + 2 + 6 + 2 + 2 + 4 + 4);
	*new_len = in_u4(&in);
	CHECK(!in.bad && (size_t)(in.end - in.p) > *new_len);
	return in.p;
}

/* Checks that all branches of CODE lead to instructions; returns the number of calls. */
static unsigned check_code(const uint8_t *code, uint32_t len)
{
	struct edit e = {.code = code, .len = len};
	uint8_t *starts = calloc(len + 1, 1);
	unsigned calls = 0;
	uint32_t at, n;

	for (at = 0; at < len && (n = insn_len(&e, at, at)) != 0; at += n)
		starts[at] = 1;
	CHECK_INT(at, len);
	for (at = 0; at < len && (n = insn_len(&e, at, at)) != 0; at += n) {
		uint32_t body = (at + 4) & ~3U;

		calls += code[at] == INVOKESTATIC;
		if ((code[at] >= IFEQ && code[at] <= JSR))
			CHECK(starts[(at + (uint32_t)(int16_t)(code[at + 1] << 8 | code[at + 2]))]);
		if (code[at] == GOTO_W)
			CHECK(starts[at + (uint32_t)s4(code + at + 1)]);
		if (code[at] == TABLESWITCH || code[at] == LOOKUPSWITCH)
			CHECK(starts[at + (uint32_t)s4(code + body)]);
		for (uint32_t k = body + 12; code[at] == TABLESWITCH && k < at + n; k += 4)
			CHECK(starts[at + (uint32_t)s4(code + k)]);
		for (uint32_t k = body + 12; code[at] == LOOKUPSWITCH && k < at + n; k += 8)
			CHECK(starts[at + (uint32_t)s4(code + k)]);
	}
	free(starts);
	return calls;
}

/* Edits CODE, which has RETURNS; true if it could be. */
static bool can_edit(
	const uint8_t *code, uint32_t len, unsigned fill, unsigned returns, const char **why)
{
	uint32_t new_len = 0;
	uint8_t *class;
	const uint8_t *new = edited_code(code, len, fill, &new_len, &class, why);

	if (new) /* entry, each return, handler */
		CHECK_INT(check_code(new, new_len), edit.entry + (edit.ret ? returns + 1 : 0));
	free(class);
	return new;
}

/* ---- tests ---- */

static void test_switches(void)
{
	const char *why;

	for (unsigned pad = 0; pad < 4; pad++) {
		uint8_t code[64] = {0};
		uint32_t at = pad + 1, body = (at + 4) & ~3U, end = body + 20;

		code[pad] = ICONST_0;
		code[at] = TABLESWITCH; /* 0 and 1, to the first and the second return */
		code[body + 3] = (uint8_t)(end + 1 - at);
		code[body + 11] = 1;
		code[body + 15] = (uint8_t)(end - at);
		code[body + 19] = (uint8_t)(end + 1 - at);
		code[end] = code[end + 1] = RETURN;
		CHECK(can_edit(code, end + 2, pad, 2, &why));
		code[at] = LOOKUPSWITCH;
		memset(code + body + 4, 0, 16);
		code[body + 7] = 1; /* one pair */
		code[body + 15] = (uint8_t)(end - at);
		memset(code + body + 16, RETURN, 6);
		code[body + 3] = code[body + 15] = (uint8_t)(body + 16 - at);
		CHECK(can_edit(code, body + 20, pad, 4, &why));
		code[body + 4] = 0x7f; /* more pairs than there are bytes */
		CHECK(!can_edit(code, body + 20, pad, 4, &why));
		CHECK_STR(why, "its code cannot be read");
	}
}

static uint8_t long_code[70000];

/* A branch over DISTANCE bytes that end in a return, and one more return in between. */
static bool can_branch(uint32_t distance, const char **why)
{
	memset(long_code, NOP, sizeof(long_code));
	long_code[0] = ICONST_0;
	long_code[1] = IFEQ;
	long_code[2] = (uint8_t)(distance >> 8);
	long_code[3] = (uint8_t)distance;
	long_code[10] = RETURN;
	long_code[1 + distance] = RETURN;
	return can_edit(long_code, 2 + distance, 0, 2, why);
}

static void test_long(void)
{
	const char *why;

	CHECK(can_branch(32767 - 6, &why)); /* the call before a return: sipush, invokestatic */
	CHECK(!can_branch(32767 - 5, &why));
	CHECK_STR(why, "a branch would be too long");
	edit.ret = false;
	CHECK(can_branch(32767, &why));
	edit.ret = true;

	memset(long_code, NOP, sizeof(long_code));
	long_code[0] = GOTO_W; /* backwards, to itself */
	for (uint32_t len = 65480; len <= 65535; len++) {
		bool can;

		long_code[len - 1] = RETURN;
		can = can_edit(long_code, len, 1, 1, &why);
		CHECK_INT(can, len + 6 + 6 + 7 <= UINT16_MAX);
		if (!can)
			CHECK_STR(why, "its code would be too long");
		long_code[len - 1] = NOP;
	}
}

static void test_pool(void)
{
	static const uint8_t code[] = {RETURN};
	const char *why;

	CHECK(can_edit(code, 1, 0, 1, &why));
	CHECK(can_edit(code, 1, 1000, 1, &why));
	CHECK(!can_edit(code, 1, 32760, 1, &why));
	CHECK_STR(why, "its class file has no room for more constants");
}

/* What is cut or damaged is refused or edited, and never read beyond its end. */
static void test_damaged(void)
{
	static const uint8_t code[] = {ICONST_0, IFEQ, 0, 4, RETURN, GOTO, 0xff, 0xfb, RETURN};
	struct class_bytes c = class_with(code, sizeof(code), 2);
	unsigned seed = 1;
	const char *why;
	size_t n;

	for (size_t len = 0; len < c.n; len++) {
		uint8_t *cut = malloc(len + 1), *got;

		memcpy(cut, c.p, len);
		got = edit_class(cut, len, HELPER, &edit, 1, &n, &why);
		CHECK(!got && why);
		free(got);
		free(cut);
	}
	for (int i = 0; i < 20000; i++) {
		uint8_t *bad = malloc(c.n);

		memcpy(bad, c.p, c.n);
		for (int k = 0; k < 3; k++) {
			seed = seed * 1103515245 + 12345;
			bad[(seed >> 8) % c.n] = (uint8_t)(seed >> 24);
		}
		free(edit_class(bad, c.n, HELPER, &edit, 1, &n, &why));
		free(bad);
	}
	free(c.p);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (edit_file(argv[i]))
			return 1;
	if (argc > 1)
		return 0;
	test_switches();
	test_long();
	test_pool();
	test_damaged();
	return test_done();
}
