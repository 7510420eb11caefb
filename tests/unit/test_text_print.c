// SPDX-License-Identifier: Apache-2.0
/*
 * print(): values of C types, of which test_text_print.bpf.o has the BTF, and of D's own.
 * @ref d-builtins 5.4
 * @ref output 10 integers bit-fields enums pointers characters depth-limit printsize all-zero
 * @ref output 10 address-line
 * @ref output 10
 */
#include "test.h"

#include <bpf/btf.h>
#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include "base/arena.h"
#include "decode/sink.h"
#include "print/print.h"
#include "test_text_print.h"
#include "types/type.h"
#include "test_sink.h"
#include "types/types.h"

static struct types *types;
static struct print_options opts = {.quiet = true};
static struct sink_env env = {.opts = &opts};
static char *outcome;

static const struct probe openat = {
	.id = 1123, .prov = "syscall", .mod = "vmlinux", .func = "openat", .name = "entry"};

#define IN "                                            " /* 44 blanks */

/* Returns the text of print() for a record with these data. */
static const char *fire(
	const struct type *type, const void *rec, const struct datum *data, uint32_t ndata)
{
	const struct rec_action act = {
		.kind = REC_PRINT, .ctype = type, .data = data, .ndata = ndata};
	const struct rec_desc desc = {.actions = &act, .nactions = 1};
	const struct event ev = {.probe = &openat, .desc = &desc, .data = rec, .cpu = 2};
	size_t len;
	FILE *f;
	struct sink *s;

	free(outcome);
	f = open_memstream(&outcome, &len);
	s = sink_text_new(&env, f);
	CHECK_INT(sink_event(s, &ev), 0);
	sink_free(s);
	fclose(f);
	return outcome;
}

/* Of a value of which SIZE bytes are in the record. */
static const char *print_bytes(const struct type *type, const void *bytes, uint32_t size)
{
	/* on the heap, and no longer than it says, for those who watch over memory */
	char *rec = malloc(8 + size);
	const uint64_t addr = 0xffff888100a0b000;
	const struct datum data[] = {
		{.kind = DATUM_BYTES, .offset = 8, .size = size},
		{.kind = DATUM_PTR, .size = 8},
	};
	const char *text;

	memcpy(rec, &addr, 8);
	memcpy(rec + 8, bytes, size);
	text = fire(type, rec, data, 2);
	free(rec);
	return text;
}

#define ADDRESS "0xffff888100a0b000 = *\n"

/* Behind the line with the address, which is the same for all. */
static const char *print(const struct type *type, const void *bytes, uint32_t size)
{
	const char *text = print_bytes(type, bytes, size);

	CHECK(!strncmp(text, ADDRESS, strlen(ADDRESS)));
	return text + strlen(ADDRESS);
}

static const struct type *struct_type(const char *name, size_t size)
{
	const struct type *t = types_lookup(types, SPACE_STRUCT, name);

	CHECK(t && t->size == size);
	if (!t)
		exit(test_done());
	return t;
}

#define STRUCT(name) struct_type(#name, sizeof(struct name))

static void test_scalars(void)
{
	const struct type *t = STRUCT(scalars);
	const struct scalars zero = {0};
	const struct scalars low = {
		.i8 = -1,
		.u8 = 200,
		.i16 = -300,
		.u32 = 4000000000,
		.i64 = INT64_MIN,
		.u64 = UINT64_MAX,
		.i128 = -((__int128)1 << 100),
		.number = 7,
		.flag = 1,
		.letter = 'x',
		.state = RUNNING,
		.no_state = -6,
		.sign = MINUS,
		.ptr = (void *)0xffff888100a0b000,
		.func = (void *)0xffffffff81000000,
		.text = (void *)0x1000,
		.flt = 0.1f,
		.dbl = -2.5e300,
	};

	CHECK_STR(print_bytes(t, &zero, sizeof(zero)),
		"0xffff888100a0b000 = *\n(struct scalars) {\n}\n");
	CHECK_STR(print(t, &low, sizeof(low)),
		"(struct scalars) {\n .i8 = (signed char)-1,\n .u8 = (unsigned char)200,\n .i16 = "
		"(short)-300,\n .u32 = (unsigned int)4000000000,\n .i64 = "
		"(long)-9223372036854775808,\n .u64 = (unsigned long)18446744073709551615,\n .i128 "
		"= (__int128)-1267650600228229401496703205376,\n .number = (number_t)7,\n .flag = "
		"(flag_t)1,\n .letter = (char)'x',\n .state = (enum state)RUNNING,\n .no_state = "
		"(enum state)-6,\n .sign = (enum sign)MINUS,\n .ptr = (struct point "
		"*)0xffff888100a0b000,\n .func = (int (*)(const char *))0xffffffff81000000,\n "
		".text = (const char *const)0x1000,\n .flt = (float)0.1,\n .dbl = "
		"(double)-2.5e+300,\n}\n");
}

static void test_bits(void)
{
	const struct bits some = {.b = 5, .c = -3, .state = RUNNING, .far = 0xabcdef0123};
	const struct bits more = {.a = 1, .letter = '!', .state = 7};

	CHECK_STR(print(STRUCT(bits), &some, sizeof(some)),
		"(struct bits) {\n .b = (unsigned int)5,\n .c = (int)-3,\n .state = (enum "
		"state)RUNNING,\n .far = (unsigned long)737894400291,\n}\n");
	/* the type is char, but it is not one; no enumerator has the value */
	CHECK_STR(print(STRUCT(bits), &more, sizeof(more)),
		"(struct bits) {\n .a = (unsigned int)1,\n .state = (enum state)7,\n .letter = "
		"(char)33,\n}\n");
}

static void test_nested(void)
{
	const struct nested n = {
		.point = {.y = 7},
		.u = {.i = 0x0102},
		.inner = 3,
		.second = -4,
		.unnamed = {.named = 5},
		.name = "it's",
		.numbers = {{0}, {1, 0, 3}},
		.points = {{0}, {.x = 1}},
		.fixed = {.x = 2},
	};
	const struct nested other = {.name = {0, 'x'}};

	CHECK_STR(print(STRUCT(nested), &n, sizeof(n)),
		"(struct nested) {\n .point = (struct point) {\n  .y = (long)7,\n },\n .u = (union "
		"number) {\n  .i = (int)258,\n  .bytes = (unsigned char [4]) [\n   (unsigned "
		"char)2,\n   (unsigned char)1,\n  ],\n },\n (struct) {\n  .inner = (int)3,\n  "
		"(union) {\n   .first = (int)65532,\n   .second = (short)-4,\n  },\n },\n .unnamed "
		"= (struct) {\n  .named = (int)5,\n },\n .name = (char [16])\"it's\",\n .numbers = "
		"(int [2][3]) [\n  [1] = (int [3]) [\n   (int)1,\n   [2] = (int)3,\n  ],\n ],\n "
		".points = "
		"(struct point [3]) [\n  [1] = (struct point) {\n   .x = (int)1,\n  },\n ],\n "
		".fixed = "
		"(const struct point) {\n  .x = (int)2,\n },\n}\n");
	/* characters end at the first NUL, though there is more */
	CHECK_STR(print(STRUCT(nested), &other, sizeof(other)),
		"(struct nested) {\n .name = (char [16])\"\",\n}\n");
	/* option rawbytes: one by one */
	opts.rawbytes = true;
	CHECK_STR(print(STRUCT(nested), &other, sizeof(other)),
		"(struct nested) {\n .name = (char [16]) [\n ],\n}\n");
	opts.rawbytes = false;
}

/* Ten levels at most. */
static void test_depth(void)
{
	struct deep d = {0};

	d.d1.d2.d3.d4.d5.d6.d7.d8.d9.y = 1;
	CHECK_STR(print(STRUCT(deep), &d, sizeof(d)),
		"(struct deep) {\n .d1 = (struct) {\n  .d2 = (struct) {\n   .d3 = (struct) {\n    "
		".d4 = (struct) {\n     .d5 = (struct) {\n      .d6 = (struct) {\n       .d7 = "
		"(struct) {\n        .d8 = (struct) {\n         .d9 = (struct) {\n          ...\n  "
		"       },\n        },\n       },\n      },\n     },\n    },\n   },\n  },\n "
		"},\n}\n");
}

/* "..." where what was recorded ends, at the indentation of the first member that is not whole. */
static void test_truncation(void)
{
	const struct nested n = {.point = {.x = 6, .y = 7}, .name = "abcdef", .fixed = {.x = 1}};
	const struct type *t = STRUCT(nested);

	CHECK_STR(print(t, &n, offsetof(struct nested, point.y) + 4),
		"(struct nested) {\n .point = (struct point) {\n  .x = (int)6,\n  ...\n },\n}\n");
	CHECK_STR(print(t, &n, sizeof(n.point)),
		"(struct nested) {\n .point = (struct point) {\n  .x = (int)6,\n  .y = (long)7,\n "
		"},\n ...\n}\n");
	/* option printsize shows less than was recorded */
	opts.printsize = offsetof(struct nested, name) + 2;
	CHECK_STR(print(t, &n, sizeof(n)),
		"(struct nested) {\n .point = (struct point) {\n  .x = (int)6,\n  .y = (long)7,\n "
		"},\n .name = (char [16]) [\n  (char)'a',\n  (char)'b',\n  ...\n ],\n}\n");
	opts.printsize = 8192;
	CHECK(!strstr(print(t, &n, sizeof(n)), "..."));
	/* the characters are whole where the NUL was recorded */
	opts.printsize = offsetof(struct nested, name) + 7;
	CHECK(strstr(print(t, &n, sizeof(n)), ".name = (char [16])\"abcdef\",\n ...\n"));
	opts.printsize = offsetof(struct nested, name) + 6;
	CHECK(strstr(print(t, &n, sizeof(n)), "(char)'f',\n  ...\n"));
	opts.printsize = 0;
	CHECK_STR(print(t, &n, 0), "(struct nested) {\n ...\n}\n");
	CHECK_STR(print(types_basic(types, T_INT), &n, 2), "...\n");
}

/* Outermost: a scalar keeps its comma, zero is shown, brackets have none. */
static void test_outermost(void)
{
	const struct type *chr = types_basic(types, T_CHAR);
	const int32_t n = 42, zero = 0;
	const char odd[] = {'\n', '\'', '"', '\\', (char)0xc3};

	CHECK_STR(print_bytes(types_basic(types, T_INT), &n, 4),
		"0xffff888100a0b000 = *\n(int)42,\n");
	CHECK_STR(print(types_basic(types, T_INT), &zero, 4), "(int)0,\n");
	CHECK_STR(print(types_basic(types, T_PID), &n, 4), "(pid_t)42,\n");
	CHECK_STR(print(chr, "", 1), "(char)'\\0',\n");
	CHECK_STR(print(types_array(types, chr, sizeof(odd)), odd, sizeof(odd)),
		"(char [5]) [\n (char)'\\n',\n (char)'\\'',\n (char)'\"',\n (char)'\\\\',\n "
		"(char)'\\303',\n]\n");
	CHECK_STR(print(types_array(types, chr, 0), "", 0), "(char []) [\n]\n");
	/* elements that take no room, and more than can be counted */
	CHECK_STR(print(types_array(types, types_array(types, chr, 0), UINT32_MAX), "", 0),
		"(char [4294967295][]) [\n]\n");
	CHECK_STR(
		print(types_array(types, types_array(types, chr, UINT32_MAX), UINT32_MAX), "x", 1),
		"(char [4294967295][4294967295]) [\n (char [4294967295]) [\n  (char)'x',\n  ...\n "
		"],\n]\n");
}

/* Any bytes, cut anywhere: it ends well. */
static void test_any_bytes(void)
{
	uint8_t bytes[sizeof(struct scalars) + sizeof(struct nested)];
	const struct type *both[] = {STRUCT(scalars), STRUCT(nested), STRUCT(bits)};

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 2654435761u >> 13 | 1);
	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		for (uint32_t have = 0; have <= both[i]->size; have++) {
			const char *text = print(both[i], bytes, have);
			size_t len = strlen(text);

			CHECK(len > 2 && !strcmp(text + len - 3, "\n}\n"));
			CHECK(!strstr(text, "...\n") == (have == both[i]->size));
		}
	}
}

#define HEADER "CPU     ID                    FUNCTION:NAME\n"

/* print(expression): there is no address; the value stands where the columns of the record end. */
static void test_expression(void)
{
	const struct point p = {1, 2};
	const struct datum bytes = {.kind = DATUM_BYTES, .size = sizeof(p)};
	const int64_t n = -5;
	const struct datum number = {.kind = DATUM_INT, .size = 8, .is_signed = true};
	const char text[257] = "say \"hi\"\n";
	const struct datum string = {.kind = DATUM_STRING, .size = sizeof(text)};
	const struct datum literal = {.kind = DATUM_LITERAL, .literal = "abc"};
	const struct datum func = {.kind = DATUM_PROBEFUNC};
	const struct type *t_string = types_basic(types, T_STRING);

	CHECK_STR(fire(types_basic(types, T_INT64), &n, &number, 1), "(int64_t)-5,\n");
	CHECK_STR(fire(t_string, text, &string, 1), "(string)\"say \\\"hi\\\"\\n\",\n");
	CHECK_STR(fire(t_string, text, &literal, 1), "(string)\"abc\",\n");
	CHECK_STR(fire(t_string, text, &func, 1), "(string)\"openat\",\n");
	opts.quiet = false;
	CHECK_STR(fire(STRUCT(point), &p, &bytes, 1),
		HEADER "  2   1123                     openat:entry (struct point) {\n" IN
		       " .x = (int)1,\n" IN " .y = (long)2,\n" IN "}\n\n");
	CHECK_STR(print_bytes(STRUCT(point), &p, sizeof(p)),
		HEADER "  2   1123                     openat:entry 0xffff888100a0b000 = *\n" IN
		       "(struct point) {\n" IN " .x = (int)1,\n" IN " .y = (long)2,\n" IN "}\n\n");
	opts.quiet = true;
}

static int load_btf(void *arg, const void **data, size_t *len)
{
	const struct btf *btf = arg;
	uint32_t size;

	*data = btf__raw_data(btf, &size);
	*len = size;
	return 0;
}

int main(void)
{
	struct arena *arena = arena_new();
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 8);
	struct btf *btf;

	if (n < 0)
		test_skip("no /proc");
	strcpy(path + n, ".bpf.o");
	btf = btf__parse_elf(path, NULL);
	CHECK(btf != NULL);
	if (!btf)
		return test_done();
	types = types_new(arena, 256, load_btf, btf);
	test_scalars();
	test_bits();
	test_nested();
	test_depth();
	test_truncation();
	test_outermost();
	test_any_bytes();
	test_expression();
	CHECK_INT(types_error(types), 0);
	free(outcome);
	arena_free(arena);
	btf__free(btf);
	return test_done();
}
