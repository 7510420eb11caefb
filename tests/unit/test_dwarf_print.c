// SPDX-License-Identifier: Apache-2.0
/*
 * print() of a program's types, as its debug information has them.
 * @ref output 10 integers bit-fields enums pointers characters
 * @ref output 10
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "dwarf/sample.h"
#include "decode/sink.h"
#include "print/print.h"
#include "test_sink.h"
#include "types/dwarf.h"

static struct print_options opts = {.quiet = true};
static struct sink_env env = {.opts = &opts};
static const struct probe entry = {
	.id = 1, .prov = "pid1", .mod = "a.out", .func = "handle", .name = "entry"};

static struct types *types;
static struct dwarf_file *file;

/* The lines of print() without the blanks that all begin with. */
static const char *print(const struct type *type, const void *bytes, uint32_t size)
{
	static char lines[8192];
	char *rec = calloc(1, 8 + size), *text = NULL;
	const struct datum data[] = {{.kind = DATUM_BYTES, .offset = 8, .size = size}};
	const struct rec_action act = {.kind = REC_PRINT, .ctype = type, .data = data, .ndata = 1};
	const struct rec_desc desc = {.actions = &act, .nactions = 1};
	const struct event ev = {.probe = &entry, .desc = &desc, .data = rec};
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);

	memcpy(rec + 8, bytes, size);
	CHECK_INT(sink_event(s, &ev), 0);
	sink_free(s);
	fclose(f);
	snprintf(lines, sizeof(lines), "%s", text);
	free(text);
	free(rec);
	return lines;
}

static const struct type *type_named(enum type_space space, const char *name)
{
	const struct type *t = dwarf_type(file, space, name);

	CHECK(t);
	if (!t)
		exit(test_done());
	return t;
}

static void test_list(void)
{
	static const struct list l = {
		.next = (void *)0x7f0012345678,
		.name = "it's",
		.grid = {{1, 2, 3}, {0, -5, 0}},
		.cv = (void *)0x10,
		.handler = (void *)0x400100,
		.bits = {.b = 5, .c = -3, .color = BLUE, .letter = -8, .far = 0xabcdef0123},
		.number = {.i = 258},
		.color = GREEN,
		.sign = MINUS,
		.big = HUGE_ONE,
		.inner = 4,
		.second = -2,
		.unnamed = {.named = 9},
		.i8 = -1,
		.u8 = 200,
		.letter = 'q',
		.flag = 1,
		.i64 = INT64_MIN,
		.u64 = UINT64_MAX,
		.flt = 0.1f,
		.dbl = -2.5e300,
		.ldbl = 1.5L,
		.i128 = -((__int128)1 << 100),
		.cflt = 1.0f + 2.0fi,
		.cdbl = 3.25,
		.signal = (void *)0x400200,
	};

	CHECK_STR(print(type_named(SPACE_STRUCT, "list"), &l, sizeof(l)),
		"(struct list) {\n"
		" .next = (struct list *)0x7f0012345678,\n"
		" .name = (char [16])\"it's\",\n"
		" .grid = (int [2][3]) [\n"
		"  (int [3]) [\n"
		"   (int)1,\n"
		"   (int)2,\n"
		"   (int)3,\n"
		"  ],\n"
		"  (int [3]) [\n"
		"   [1] = (int)-5,\n"
		"  ],\n"
		" ],\n"
		" .cv = (volatile const short *const)0x10,\n"
		" .handler = (handler_t)0x400100,\n"
		" .bits = (struct bits) {\n"
		"  .b = (unsigned int)5,\n"
		"  .c = (int)-3,\n"
		"  .color = (enum color)BLUE,\n"
		"  .letter = (char)-8,\n"
		"  .far = (unsigned long)737894400291,\n"
		" },\n"
		" .number = (union number) {\n"
		"  .i = (int)258,\n"
		"  .bytes = (unsigned char [4]) [\n"
		"   (unsigned char)2,\n"
		"   (unsigned char)1,\n"
		"  ],\n"
		"  .d = (double)1.27469e-321,\n"
		" },\n"
		" .color = (enum color)GREEN,\n"
		" .sign = (enum sign)MINUS,\n"
		" .big = (enum big)HUGE_ONE,\n"
		" (struct) {\n"
		"  .inner = (int)4,\n"
		"  (union) {\n"
		"   .first = (int)65534,\n"
		"   .second = (short)-2,\n"
		"  },\n"
		" },\n"
		" .unnamed = (struct) {\n"
		"  .named = (int)9,\n"
		" },\n"
		" .i8 = (signed char)-1,\n"
		" .u8 = (unsigned char)200,\n"
		" .letter = (char)'q',\n"
		" .flag = (_Bool)1,\n"
		" .i64 = (long)-9223372036854775808,\n"
		" .u64 = (unsigned long)18446744073709551615,\n"
		" .flt = (float)0.1,\n"
		" .dbl = (double)-2.5e+300,\n"
		" .ldbl = (long double)1.5,\n"
		" .i128 = (__int128)-1267650600228229401496703205376,\n"
		" .cflt = (complex float) [\n"
		"  (float)1,\n"
		"  (float)2,\n"
		" ],\n"
		" .cdbl = (complex double) [\n"
		"  (double)3.25,\n"
		" ],\n"
		" .signal = (void *(*)(int, void (*)(int)))0x400200,\n"
		"}\n");
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[256], command[512];
	struct arena *arena = arena_new();
	int fd, err;

	snprintf(path, sizeof(path), "%s/dwarf_print.%d", tmp ? tmp : "/tmp", (int)getpid());
	snprintf(command, sizeof(command),
		"cc -std=gnu17 -g -o '%s' tests/unit/dwarf/sample.c tests/unit/dwarf/hidden.c",
		path);
	if (system(command))
		return 1;
	fd = open(path, O_RDONLY);
	types = types_new(arena, 256, NULL, NULL);
	file = dwarf_file_open(types, fd, path, &err);
	close(fd);
	unlink(path);
	CHECK(file);
	if (file)
		test_list();
	dwarf_file_close(file);
	arena_free(arena);
	return test_done();
}
