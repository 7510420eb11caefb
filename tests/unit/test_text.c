// SPDX-License-Identifier: Apache-2.0
/* The text sink's records: frame, trace(), printf(), stacks, symbols, hexdump, -F. */
#include "test.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "base/arena.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "sym/sym.h"
#include "test_sink.h"

static struct arena *arena;
static struct print_options opts;
static struct sink_env env = {.opts = &opts};

static const struct probe begin = {
	.id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN"};
static const struct probe openat = {
	.id = 1123, .prov = "syscall", .mod = "vmlinux", .func = "openat", .name = "entry"};

/* the record that is being put together, and its data */
static _Alignas(16) uint8_t rec[1024];
static struct datum data[16];
static uint32_t used, ndata;

static struct datum *add(enum datum_kind kind, const void *bytes, uint32_t size)
{
	uint32_t extra = kind == DATUM_STACK ? 8 * DT_STACK_EXTRA : 0;
	struct datum *d = &data[ndata++];

	*d = (struct datum){.kind = kind, .offset = used, .size = size + extra};
	if (size)
		memcpy(rec + used, bytes, size);
	memset(rec + used + size, 0, extra);
	used += size + extra;
	return d;
}

static void add_int(uint32_t size, bool is_signed, int64_t value)
{
	add(DATUM_INT, &value, size)->is_signed = is_signed;
}

static void add_string(const char *s)
{
	char bytes[65] = "";

	strcpy(bytes, s);
	add(DATUM_STRING, bytes, sizeof(bytes));
}

static void add_literal(const char *s)
{
	add(DATUM_LITERAL, NULL, 0)->literal = s;
}

static char *outcome;
static size_t outcome_len;

/* Returns the sink's text for one firing; the data put together so far are used up. */
static const char *fire(const struct probe *probe, const struct rec_action *acts, uint32_t nacts)
{
	const struct rec_desc desc = {.actions = acts, .nactions = nacts};
	const struct event ev = {.probe = probe, .desc = &desc, .data = rec, .cpu = 2};
	FILE *f;
	struct sink *s;

	free(outcome);
	f = open_memstream(&outcome, &outcome_len);
	s = sink_text_new(&env, f);
	CHECK_INT(sink_event(s, &ev), 0);
	CHECK_INT(sink_flush(s), 0);
	sink_free(s);
	fclose(f);
	used = ndata = 0;
	return outcome;
}

static const char *fire_one(enum rec_action_kind kind, const char *text)
{
	struct rec_action act = {.kind = kind, .data = data, .ndata = ndata};
	const char *error = NULL;

	if (text)
		act.format = format_parse(arena, text, strlen(text), &error);
	CHECK(!error);
	return fire(&openat, &act, 1);
}

static const char *trace(void)
{
	return fire_one(REC_TRACE, NULL);
}

static const char *format(const char *text)
{
	return fire_one(REC_PRINTF, text);
}

/* One integer under FORMAT. */
static const char *format_int(const char *text, uint32_t size, bool is_signed, int64_t value)
{
	add_int(size, is_signed, value);
	return format(text);
}

static const char *format_string(const char *text, const char *value)
{
	add_string(value);
	return format(text);
}

#define HEADER "CPU     ID                    FUNCTION:NAME\n"

static void test_frame(void)
{
	static const struct probe far = {.id = 1234567,
		.prov = "p",
		.mod = "m",
		.func = "a_function_with_a_very_long_name",
		.name = "return"};

	CHECK_STR(fire(&begin, NULL, 0), HEADER "  2      1                           :BEGIN \n");
	CHECK_STR(fire(&openat, NULL, 0), HEADER "  2   1123                     openat:entry \n");
	CHECK_STR(fire(&far, NULL, 0),
		HEADER "  2 1234567 a_function_with_a_very_long_name:return \n");
	add_string("/etc/passwd");
	add_int(4, true, -1);
	const struct rec_action acts[] = {
		{.kind = REC_TRACE, .data = &data[0], .ndata = 1},
		{.kind = REC_TRACE, .data = &data[1], .ndata = 1},
	};
	CHECK_STR(fire(&openat, acts, 2),
		HEADER "  2   1123                     openat:entry "
		       "  /etc/passwd                               -1\n");
	opts.noprefix = true;
	CHECK_STR(fire(&begin, NULL, 0),
		"                   FUNCTION:NAME\n                          :BEGIN \n");
	opts.flowindent = true;
	CHECK_STR(fire(&begin, NULL, 0),
		"FUNCTION                                 \n"
		"| :BEGIN                                  \n");
	opts.noprefix = opts.flowindent = false;
	opts.quiet = true;
	CHECK_STR(fire(&begin, NULL, 0), "");
}

/* The header belongs to the first record, whatever setopt() does later. */
static void test_header_once(void)
{
	const struct rec_desc desc = {0};
	const struct event ev = {.probe = &begin, .desc = &desc, .data = rec, .cpu = 0};
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);

	opts.quiet = true;
	sink_event(s, &ev);
	opts.quiet = false;
	sink_event(s, &ev);
	sink_newline(s);
	sink_flush(s);
	CHECK_STR(text, "  0      1                           :BEGIN \n\n");
	sink_free(s);
	fclose(f);
	free(text);
}

/* Returns the text after the frame in normal mode. */
static const char *behind(const char *text)
{
	const char *prefix = HEADER "  2   1123                     openat:entry ";

	CHECK(!strncmp(text, prefix, strlen(prefix)));
	return strncmp(text, prefix, strlen(prefix)) ? text : text + strlen(prefix);
}

static const char *trace_int(uint32_t size, bool is_signed, int64_t value)
{
	add_int(size, is_signed, value);
	return trace();
}

static void test_trace(void)
{
	uint64_t addr = 0xffffffff81000000;

	opts.quiet = false;
	CHECK_STR(behind(trace_int(8, true, -5)), "                  -5\n");
	CHECK_STR(behind(trace_int(8, true, INT64_MIN)), " -9223372036854775808\n");
	CHECK_STR(behind(trace_int(8, false, -1)), " 18446744073709551615\n");
	CHECK_STR(behind(trace_int(4, true, -7)), "         -7\n");
	CHECK_STR(behind(trace_int(4, false, -1)), " 4294967295\n");
	CHECK_STR(behind(trace_int(2, true, -3)), "    -3\n");
	CHECK_STR(behind(trace_int(2, false, -3)), " 65533\n");
	CHECK_STR(behind(trace_int(1, true, -3)), "  -3\n");
	CHECK_STR(behind(trace_int(1, false, 200)), " 200\n");
	add(DATUM_PTR, &addr, 8);
	CHECK_STR(behind(trace()), " 18446744071578845184\n");
	add_string("abc");
	CHECK_STR(behind(trace()), "  abc                              \n");
	add_string("");
	CHECK_STR(behind(trace()), "                                   \n");
	add_string("a string of more than thirty-three bytes");
	CHECK_STR(behind(trace()), "  a string of more than thirty-three bytes\n");
	add_literal("lit");
	CHECK_STR(behind(trace()), "  lit                              \n");
	add(DATUM_PROBEFUNC, NULL, 0);
	CHECK_STR(behind(trace()), "  openat                           \n");
	opts.quiet = true;
	CHECK_STR(trace_int(8, true, -5), "-5");
	CHECK_STR(trace_int(4, false, -1), "4294967295");
	CHECK_STR(trace_int(1, true, -1), "-1");
	add_string("abc");
	CHECK_STR(trace(), "abc");
	add_string("");
	CHECK_STR(trace(), "");
	add(DATUM_PROBENAME, NULL, 0);
	CHECK_STR(trace(), "entry");
}

#define DUMP_HEAD \
	"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"

static void test_hexdump(void)
{
	static const char bytes[] = "hello world\0\0\0\0\0\1\2\3\x7f";

	opts.quiet = true;
	add(DATUM_BYTES, bytes, 20);
	CHECK_STR(trace(),
		DUMP_HEAD
		"         0: 68 65 6c 6c 6f 20 77 6f 72 6c 64 00 00 00 00 00  hello world.....\n"
		"        10: 01 02 03 7f                                      ....\n");
	add(DATUM_CHARS, "ab", 3);
	CHECK_STR(trace(),
		DUMP_HEAD "         0: 61 62 00                                         ab.\n");
	opts.rawbytes = true;
	add_int(4, true, 0x41424344);
	CHECK_STR(trace(),
		DUMP_HEAD "         0: 44 43 42 41                                      DCBA\n");
	add_literal("xy");
	CHECK_STR(trace(),
		DUMP_HEAD "         0: 78 79 00                                         xy.\n");
	opts.rawbytes = false;

	/* tracemem(): data[1] shortens */
	add(DATUM_BYTES, bytes, 20);
	add_int(4, true, 2);
	CHECK_STR(fire_one(REC_TRACEMEM, NULL),
		DUMP_HEAD "         0: 68 65                                            he\n");
	add(DATUM_BYTES, bytes, 3);
	add_int(4, true, -1);
	CHECK_STR(fire_one(REC_TRACEMEM, NULL),
		DUMP_HEAD "         0: 68 65 6c                                         hel\n");
	add(DATUM_BYTES, bytes, 3);
	add_int(8, false, 4);
	CHECK_STR(fire_one(REC_TRACEMEM, NULL),
		DUMP_HEAD "         0: 68 65 6c                                         hel\n");
	add(DATUM_BYTES, bytes, 3);
	add_int(8, false, 0);
	CHECK_STR(fire_one(REC_TRACEMEM, NULL), "");
	opts.quiet = false;
	add(DATUM_BYTES, bytes, 3);
	CHECK_STR(behind(fire_one(REC_TRACEMEM, NULL)),
		DUMP_HEAD "         0: 68 65 6c                                         hel\n\n");
	opts.quiet = true;
}

static void test_integers(void)
{
	CHECK_STR(format_int("%d", 4, true, -5), "-5");
	CHECK_STR(format_int("%d", 4, false, -5), "4294967291"); /* by the argument's type */
	CHECK_STR(format_int("%i", 8, true, INT64_MIN), "-9223372036854775808");
	CHECK_STR(format_int("%d", 8, false, -1), "18446744073709551615");
	CHECK_STR(format_int("%d", 1, true, -1), "-1");
	CHECK_STR(format_int("%u", 4, true, -1), "4294967295");
	CHECK_STR(format_int("%u", 1, true, -1), "255");
	CHECK_STR(format_int("%x", 2, true, -1), "ffff");
	CHECK_STR(format_int("%X", 4, true, -2), "FFFFFFFE");
	CHECK_STR(format_int("%o", 1, true, -1), "377");
	CHECK_STR(format_int("%llx", 8, true, -1), "ffffffffffffffff");
	CHECK_STR(format_int("%hd", 2, true, -3), "-3");
	CHECK_STR(format_int("%ld", 8, true, -3), "-3");
	CHECK_STR(format_int("%p", 8, false, 0xffff8881), "ffff8881");
	CHECK_STR(format_int("%#p", 8, false, 0xabc), "0xabc");
	CHECK_STR(format_int("%?p|", 8, false, 0xabc), "             abc|");
	CHECK_STR(format_int("%0?p|", 8, false, 0xabc), "0000000000000abc|");
	CHECK_STR(format_int("%p", 4, true, -1), "ffffffff");
	CHECK_STR(format_int("%#x %%", 4, true, 255), "0xff %");
	CHECK_STR(format_int("[%5d]", 4, true, 42), "[   42]");
	CHECK_STR(format_int("[%-5d]", 4, true, 42), "[42   ]");
	CHECK_STR(format_int("[%05d]", 4, true, -42), "[-0042]");
	CHECK_STR(format_int("[%+d]", 4, true, 42), "[+42]");
	CHECK_STR(format_int("[% d]", 4, true, 42), "[ 42]");
	CHECK_STR(format_int("[%'d]", 4, true, 1234567), "[1234567]");
	CHECK_STR(format_int("[%.4d]", 4, true, 42), "[0042]");
	CHECK_STR(format_int("[%.0d]", 4, true, 0), "[0]"); /* a precision of 0 is ignored */
	CHECK_STR(format_int("[%8.4x]", 4, true, 255), "[    00ff]");
}

static void test_dynamic(void)
{
	add_int(4, true, 6);
	add_int(4, true, 42);
	CHECK_STR(format("[%*d]"), "[    42]");
	add_int(4, true, -6);
	add_int(4, true, 42);
	CHECK_STR(format("[%0*d]"), "[42    ]");
	add_int(4, true, 8);
	add_int(1, true, 3);
	add_string("abcdef");
	add_int(4, true, 7);
	CHECK_STR(format("[%*.*s] %d"), "[     abc] 7");
	add_int(4, true, 0);
	add_string("abcdef");
	CHECK_STR(format("[%.*s]"), "[abcdef]");
	add_int(4, true, -2);
	add_string("abcdef");
	CHECK_STR(format("[%.*s]"), "[abcdef]");
	add_int(8, true, INT64_MIN); /* nonsense from traced data does no harm */
	add_int(4, true, 1);
	CHECK_INT(strlen(format("%*d")), 1 << 20);
}

static void test_strings(void)
{
	CHECK_STR(format_string("[%s]", "abc"), "[abc]");
	CHECK_STR(format_string("[%s]", ""), "[]");
	CHECK_STR(format_string("[%5s]", "abc"), "[  abc]");
	CHECK_STR(format_string("[%-5s]", "abc"), "[abc  ]");
	CHECK_STR(format_string("[%.2s]", "abc"), "[ab]");
	CHECK_STR(format_string("[%5.2s]", "abc"), "[   ab]");
	CHECK_STR(format_string("[%.0s]", "abc"), "[abc]");
	add(DATUM_CHARS, "abcd", 4); /* the array's end ends it too */
	CHECK_STR(format("[%s]"), "[abcd]");
	add(DATUM_CHARS, "ab\0d", 4);
	CHECK_STR(format("[%s]"), "[ab]");
	add_literal("lit");
	add(DATUM_PROBEPROV, NULL, 0);
	add(DATUM_PROBEMOD, NULL, 0);
	add(DATUM_PROBEFUNC, NULL, 0);
	add(DATUM_PROBENAME, NULL, 0);
	CHECK_STR(format("%s %s:%s:%s:%5.3s|\n"), "lit syscall:vmlinux:openat:  ent|\n");

	CHECK_STR(format_string("%S", "abc"), "abc\\0");
	CHECK_STR(format_string("%S", ""), "\\0");
	CHECK_STR(format_string("%S", "\a\b\f\n\r\t\v\"\\ ~\x01\x7f\xff"),
		"\\a\\b\\f\\n\\r\\t\\v\\\"\\\\ ~\\001\\177\\377\\0");
	CHECK_STR(format_string("[%8S]", "abc"), "[   abc\\0]");
	CHECK_STR(format_string("[%-8S]", "abc"), "[abc\\0   ]");
	add(DATUM_CHARS, "abcd", 4);
	CHECK_STR(format("%S"), "abcd");

	uint32_t wide[] = {'a', 0xe9, 0x20ac, 0x1f600, 0, 'x'};
	add(DATUM_BYTES, wide, sizeof(wide));
	CHECK_STR(format("%ls"), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	add(DATUM_BYTES, wide, 12);
	CHECK_STR(format("[%6.4ws]"), "[   a\xc3\xa9]");
}

static void test_chars(void)
{
	CHECK_STR(format_int("%c", 1, true, 'x'), "x");
	CHECK_STR(format_int("[%3c]", 4, true, 'x'), "[  x]");
	CHECK_STR(format_int("[%-3c]", 4, true, 'x'), "[x  ]");
	format_int("[%c]", 4, true, 0);
	CHECK_INT(outcome_len, 3);
	CHECK(!memcmp(outcome, "[\0]", 3));
	CHECK_STR(format_int("%C", 4, true, 'x'), "x");
	CHECK_STR(format_int("%C", 4, true, '\n'), "\\n");
	CHECK_STR(format_int("%C", 4, true, 0), "\\0");
	CHECK_STR(format_int("%C", 1, true, -1), "\\377");
	CHECK_STR(format_int("[%5C]", 4, true, 1), "[ \\001]");
	CHECK_STR(format_int("%lc", 4, true, 0x20ac), "\xe2\x82\xac");
	CHECK_STR(format_int("%wc", 4, true, 0xd800), "\xef\xbf\xbd");
}

static void test_floats(void)
{
	float f = 1.5f;
	double d = -0.25;
	long double ld = 1e10L;

	add(DATUM_FLOAT, &f, sizeof(f));
	add(DATUM_FLOAT, &d, sizeof(d));
	add(DATUM_FLOAT, &ld, sizeof(ld));
	CHECK_STR(format("%f [%8.2f] %Le"), "1.500000 [   -0.25] 1.000000e+10");
	add(DATUM_FLOAT, &d, sizeof(d));
	CHECK_STR(format("%g"), "-0.25");
	add(DATUM_FLOAT, &d, sizeof(d));
	CHECK_STR(format("%.0f"), "-0.250000");
	add(DATUM_FLOAT, &d, sizeof(d));
	CHECK_STR(format("%-12E|"), "-2.500000E-01|");
	add(DATUM_FLOAT, &ld, sizeof(ld));
	CHECK_STR(format("%G"), "1E+10");
}

static void test_times(void)
{
	/* 2021-12-03 17:20:00 UTC */
	const int64_t t = 1638552000ll * 1000000000 + 999999999;

	CHECK_STR(format_int("%Y", 8, true, t), "2021 Dec  3 17:20:00");
	CHECK_STR(format_int("%T", 8, false, t), "Fri, 03 Dec 2021 17:20:00 UTC");
	CHECK_STR(format_int("[%22Y]", 8, true, t), "[  2021 Dec  3 17:20:00]");
	CHECK_STR(format_int("[%-22Y]", 8, true, t), "[2021 Dec  3 17:20:00  ]");
	CHECK_STR(format_int("%Y", 8, true, 0), "1970 Jan  1 00:00:00");
	CHECK_STR(format_int("%.4Y", 8, true, -1), "2554");
	setenv("TZ", "EST5", 1);
	tzset();
	CHECK_STR(format_int("%Y", 8, true, t), "2021 Dec  3 12:20:00");
	CHECK_STR(format_int("%T", 8, true, t), "Fri, 03 Dec 2021 12:20:00 EST");
	setenv("TZ", "UTC", 1);
	tzset();
}

/* Without symbols everything is a number. */
static void test_raw_addresses(void)
{
	const uint64_t kernel[] = {0xffffffff81000010, 0xffffffff81000020, 0, 0};
	const uint64_t user[] = {77, 0x401000, 0x402000, 0};
	const uint64_t none[] = {77, 0};

	opts.stackindent = 14;
	add(DATUM_STACK, kernel, sizeof(kernel));
	CHECK_STR(fire_one(REC_STACK, NULL),
		"\n              0xffffffff81000010\n              0xffffffff81000020\n");
	add(DATUM_USTACK, user, sizeof(user));
	CHECK_STR(fire_one(REC_STACK, NULL), "\n              0x401000\n              0x402000\n");
	add(DATUM_STACK, kernel, 8); /* as deep as was asked for */
	CHECK_STR(fire_one(REC_TRACE, NULL), "\n              0xffffffff81000010\n");
	add(DATUM_USTACK, none, sizeof(none));
	CHECK_STR(fire_one(REC_STACK, NULL), "\n");
	add(DATUM_STACK, kernel + 2, 16);
	CHECK_STR(fire_one(REC_STACK, NULL), "\n");
	opts.stackindent = 2;
	add(DATUM_STACK, kernel, 8);
	CHECK_STR(fire_one(REC_STACK, NULL), "\n  0xffffffff81000010\n");
	add(DATUM_STACK, kernel, 16);
	CHECK_STR(format("[%k]"), "[\n0xffffffff81000010\n0xffffffff81000020\n]");
	add(DATUM_STACK, kernel, 8);
	CHECK_STR(format("[%-3k]"), "[\n   0xffffffff81000010\n]");
	add(DATUM_STACK, kernel, 8);
	CHECK_STR(format("[%20k]"), "[\n0xffffffff81000010\n]");
	opts.stackindent = 14;

	add(DATUM_SYM, kernel, 8);
	CHECK_STR(fire_one(REC_SYM, NULL), "  0xffffffff81000010                                ");
	add(DATUM_USYM, user, 16);
	CHECK_STR(fire_one(REC_SYM, NULL), "  0x401000                                          ");
	add(DATUM_UMOD, user, 16);
	CHECK_STR(format("%s"), "0x401000");
	CHECK_STR(format_int("[%20a]", 8, false, 0x1234), "[              0x1234]");
	CHECK_STR(format_int("[%-8A]", 8, false, 0x1234), "[0x1234  ]");
	CHECK_STR(format_int("%a", 4, true, -1), "0xffffffff");
}

/* A function of this program, which its own symbol table names. */
__attribute__((noinline, used)) static int landmark(int x)
{
	__asm__ volatile("nop; nop; nop; nop" : : : "memory");
	return x + 1;
}

static void test_own_symbols(void)
{
	const uint64_t at = (uint64_t)(uintptr_t)landmark, self = (uint64_t)getpid();
	const uint64_t stack[] = {self, at + 2, at, 0};
	const uint64_t where[] = {self, at + 2}, nowhere[] = {self, 16};
	struct symtab *syms = symtab_new();
	struct sym_info info;
	char want[256];

	env.syms = syms;
	env.target = getpid();
	sym_user(syms, getpid(), at, &info);
	CHECK_STR(info.name, "landmark");
	add(DATUM_USTACK, stack, sizeof(stack));
	CHECK_STR(fire_one(REC_STACK, NULL),
		"\n              test_text`landmark+0x2\n"
		"              test_text`landmark\n");
	add(DATUM_USYM, where, sizeof(where));
	CHECK_STR(fire_one(REC_SYM, NULL), "  test_text`landmark                                ");
	add(DATUM_UADDR, where, sizeof(where));
	CHECK_STR(fire_one(REC_SYM, NULL), "  test_text`landmark+0x2                            ");
	add(DATUM_UMOD, where, sizeof(where));
	CHECK_STR(fire_one(REC_SYM, NULL), "  test_text                                         ");
	add(DATUM_UADDR, nowhere, sizeof(nowhere));
	CHECK_STR(fire_one(REC_SYM, NULL), "  0x10                                              ");
	add(DATUM_UMOD, where, sizeof(where));
	add(DATUM_USYM, where, sizeof(where));
	add(DATUM_UADDR, where, sizeof(where));
	CHECK_STR(format("%s %a %A"), "test_text test_text`landmark test_text`landmark+0x2");
	CHECK_STR(format_int("[%24A]", 8, false, (int64_t)at + 2), "[  test_text`landmark+0x2]");
	opts.noresolve = true;
	snprintf(want, sizeof(want), "test_text:0x%llx",
		(unsigned long long)(at - info.object_start));
	add(DATUM_USTACK, stack, sizeof(stack));
	CHECK(strstr(format("%k"), want) != NULL);
	opts.noresolve = false;
	env.syms = NULL;
	env.target = 0;
	symtab_free(syms);
}

/* Needs the addresses in /proc/kallsyms, which only the privileged see. */
static void test_kernel_symbols(void)
{
	struct symtab *syms = symtab_new();
	uint64_t at = sym_kernel_address(syms, "schedule");
	uint64_t own = sym_kernel_address(syms, "bpf_get_stack");
	uint64_t stack[] = {own, at + 3, own, 0};

	if (!at) {
		symtab_free(syms);
		return;
	}
	env.syms = syms;
	add(DATUM_STACK, &stack[1], 8);
	CHECK_STR(fire_one(REC_STACK, NULL), "\n              vmlinux`schedule+0x3\n");
	add(DATUM_SYM, &stack[1], 8);
	CHECK_STR(fire_one(REC_SYM, NULL), "  vmlinux`schedule                                  ");
	add(DATUM_MOD, &stack[1], 8);
	CHECK_STR(fire_one(REC_SYM, NULL), "  vmlinux                                           ");
	CHECK_STR(format_int("%a", 8, false, (int64_t)at + 3), "vmlinux`schedule+0x3");
	add(DATUM_MOD, &at, 8);
	add(DATUM_SYM, &at, 8);
	CHECK_STR(format("%s %a"), "vmlinux vmlinux`schedule");
	if (own && sym_kernel_is_tracing(syms, own)) { /* left out on top, and only there */
		add(DATUM_STACK, stack, sizeof(stack));
		CHECK_STR(format("%k"), "\nvmlinux`schedule+0x3\nvmlinux`bpf_get_stack\n");
	}
	env.syms = NULL;
	symtab_free(syms);
}

struct step {
	const char *prov, *func, *name;
	uint32_t id, clause, cpu;
};

static void test_flow(void)
{
	static const struct step steps[] = {
		{"syscall", "openat", "entry", 10, 0, 0},
		{"fbt", "do_sys_openat2", "entry", 11, 0, 0},
		{"fbt", "do_sys_openat2", "entry", 11, 1, 0}, /* does not enter again */
		{"fbt", "", "tp", 12, 0, 1},		      /* another CPU */
		{"fbt", "alloc_fd", "tp", 13, 0, 0},
		{"fbt", "do_sys_openat2", "return", 14, 0, 0},
		{"syscall", "openat", "return", 15, 0, 0},
		{"x", "f", "my-return", 16, 0, 0}, /* never below 0 */
		{"x", "f", "my-entry", 17, 0, 0},
		{"x", "f", "my-entry", 17, 0, 0}, /* the same clause again: recursion */
		{"x", "f", "reentry", 18, 0, 0},
	};
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);

	opts.quiet = false;
	opts.flowindent = true;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *st = &steps[i];
		const struct probe p = {
			.id = st->id, .prov = st->prov, .func = st->func, .name = st->name};
		const struct rec_desc desc = {.clause = st->clause};
		const struct event ev = {.probe = &p, .desc = &desc, .data = rec, .cpu = st->cpu};

		CHECK_INT(sink_event(s, &ev), 0);
	}
	sink_flush(s);
	CHECK_STR(text,
		"CPU FUNCTION                                 \n"
		"  0  => openat                                \n"
		"  0    -> do_sys_openat2                      \n"
		"  0     | do_sys_openat2:entry                \n"
		"  1 | :tp                                     \n"
		"  0     | alloc_fd:tp                         \n"
		"  0    <- do_sys_openat2                      \n"
		"  0  <= openat                                \n"
		"  0  <- f                                     \n"
		"  0  -> f                                     \n"
		"  0    -> f                                   \n"
		"  0     | f:reentry                           \n");
	sink_free(s);
	fclose(f);
	free(text);
	opts.flowindent = false;
}

/* Actions that are not the sink's print nothing; options are those of the record's beginning. */
static void test_others(void)
{
	const char *error;
	const struct rec_action acts[] = {
		{.kind = REC_PRINTF, .format = format_parse(arena, "a", 1, &error)},
		{.kind = REC_EXIT},
		{.kind = REC_SETOPT},
		{.kind = REC_PRINTF, .format = format_parse(arena, "b", 1, &error)},
	};
	const struct rec_desc desc = {.actions = acts, .nactions = 4};
	const struct event ev = {.probe = &openat, .desc = &desc, .data = rec, .cpu = 2};
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);

	for (int i = 0; i < 2; i++) {
		CHECK_INT(sink_begin(s, &ev), 0);
		opts.quiet = true;
		for (uint32_t k = 0; k < 4; k++)
			CHECK_INT(sink_action(s, &ev, k), 0);
		CHECK_INT(sink_end(s, &ev), 0);
	}
	sink_flush(s);
	CHECK_STR(text, HEADER "  2   1123                     openat:entry ab\nab");
	sink_free(s);
	fclose(f);
	free(text);
}

static void test_write_error(void)
{
	const struct rec_desc desc = {0};
	const struct event ev = {.probe = &openat, .desc = &desc, .data = rec, .cpu = 2};
	FILE *f = fopen("/dev/full", "w");
	struct sink *s;

	if (!f)
		return;
	setvbuf(f, NULL, _IONBF, 0);
	opts.quiet = false;
	s = sink_text_new(&env, f);
	CHECK_INT(sink_event(s, &ev), -ENOSPC);
	CHECK_INT(sink_newline(s), -ENOSPC);
	sink_free(s);
	fclose(f);
	f = fopen("/dev/full", "w");
	s = sink_text_new(&env, f);
	CHECK_INT(sink_event(s, &ev), 0);
	CHECK_INT(sink_flush(s), -ENOSPC);
	sink_free(s);
	fclose(f);
}

int main(void)
{
	arena = arena_new();
	setenv("TZ", "UTC", 1);
	tzset();
	test_frame();
	test_header_once();
	test_trace();
	test_hexdump();
	test_integers();
	test_dynamic();
	test_strings();
	test_chars();
	test_floats();
	test_times();
	test_raw_addresses();
	test_own_symbols();
	test_kernel_symbols();
	test_flow();
	test_others();
	test_write_error();
	arena_free(arena);
	free(outcome);
	return test_done();
}
