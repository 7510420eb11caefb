// SPDX-License-Identifier: Apache-2.0
/* The output formats, driven as a program that uses the library would see the data. */
#include <errno.h>
#include <iconv.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "formats/json.h"
#include "formats/writer.h"
#include "session/formats.h"
#include "test.h"

/* ---- what there is to write ---- */

static const struct dtrace_probe begin = {
	.id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN"};
static const struct dtrace_probe write_entry = {
	.id = 42, .provider = "syscall", .module = "vmlinux", .function = "write", .name = "entry"};

static const struct dtrace_frame kframes[] = {
	{0xffffffff81000010, "vmlinux", "inner", 16, "vmlinux`inner+0x10", "", 0, false, false, ""},
	{0xffffffff81000100, "vmlinux", "outer", 0, "vmlinux`outer", "", 0, false, false, ""},
};
static const struct dtrace_frame uframes[] = {
	{0x401000, "prog", "f;g", 4, "prog`f;g+0x4", "", 0, false, false, ""},
	{0x7f0000001234, "libc.so.6", "", 0x1234, "libc.so.6`0x7f0000001234", "", 0, false, false,
		""},
	{0x10, "", "", 0, "0x10", "", 0, false, false, ""},
	{0x401500, "prog", "main", 1, "prog:0x1500", "", 0, false, false, ""},
};

static struct dtrace_value integer(const char *type, uint32_t size, int64_t n)
{
	return (struct dtrace_value){.kind = DTRACE_KIND_INT,
		.type = type,
		.size = size,
		.is_signed = true,
		.number = (uint64_t)n,
		.bytes = ""};
}

static struct dtrace_value string(const char *s, size_t len)
{
	return (struct dtrace_value){
		.kind = DTRACE_KIND_STRING, .type = "string", .size = 257, .bytes = s, .len = len};
}

static struct dtrace_value stack(bool user, const struct dtrace_frame *frames, unsigned n)
{
	return (struct dtrace_value){.kind = user ? DTRACE_KIND_USTACK : DTRACE_KIND_STACK,
		.type = "stack",
		.size = 160,
		.bytes = "",
		.pid = user ? 77 : 0,
		.frames = frames,
		.nframes = n};
}

/* The rows of a table are an array here. */
const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_row *rows = t->insides;

	return rows && i < t->nrows ? &rows[i] : NULL;
}

/* ---- a writer and what it has written ---- */

struct output {
	struct writer w;
	FILE *out;
	char *text;
	size_t len, seen;
};

static void start(struct output *o, const char *format, bool pretty)
{
	const struct writer_info info = {.version = "0.1", .pretty = pretty};
	const struct writer_format *f = writer_formats;

	*o = (struct output){0};
	o->out = open_memstream(&o->text, &o->len);
	while (f->name && strcmp(f->name, format))
		f++;
	CHECK(f->name && f->open);
	CHECK_INT(f->open(o->out, &info, &o->w), 0);
	CHECK(o->w.consumer.finish && o->w.consumer.flush && o->w.release);
}

static void record(struct output *o, const struct dtrace_record *r, const struct dtrace_item *items)
{
	const struct dtrace_consumer *c = &o->w.consumer;

	if (c->begin)
		CHECK_INT(c->begin(c->arg, r), 0);
	for (unsigned i = 0; i < r->nitems; i++)
		CHECK_INT(c->item(c->arg, r, &items[i]), 0);
	if (c->end)
		CHECK_INT(c->end(c->arg, r), 0);
}

static void table(struct output *o, const struct dtrace_table *t)
{
	CHECK_INT(o->w.consumer.table(o->w.consumer.arg, t), 0);
}

/* Checks what was written since the last time. */
static void expect(struct output *o, const char *want)
{
	CHECK_INT(o->w.consumer.flush(o->w.consumer.arg), 0);
	CHECK_STR(o->text + o->seen, want);
	o->seen = o->len;
}

static void stop(struct output *o, const char *want)
{
	CHECK_INT(o->w.consumer.finish(o->w.consumer.arg), 0);
	expect(o, want);
	o->w.release(o->w.consumer.arg);
	fclose(o->out);
	free(o->text);
}

/* ---- parts ---- */

static const char *string_text(const char *s, size_t len)
{
	static char text[256];
	struct buf b = {0};

	json_put_string(&b, s, len);
	snprintf(text, sizeof(text), "%s", b.data);
	buf_free(&b);
	return text;
}

static void test_strings(void)
{
	CHECK_STR(string_text("", 0), "\"\"");
	CHECK_STR(string_text("a\"b\\c/<&>", 9), "\"a\\\"b\\\\c/<&>\"");
	CHECK_STR(string_text("\b\f\n\r\t\0\x1f\x7f", 8), "\"\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"");
	/* characters stay what they are */
	CHECK_STR(string_text("\u00e9\u20ac\U0001f600", 9), "\"\u00e9\u20ac\U0001f600\"");
	/* bytes that are none: alone, cut off, too long, a surrogate, too large */
	CHECK_STR(string_text("a\x80\xff", 3), "\"a\uef80\uefff\"");
	CHECK_STR(string_text("\xe2\x82", 2), "\"\uefe2\uef82\"");
	CHECK_STR(string_text("\xe2\x82x", 3), "\"\uefe2\uef82x\"");
	CHECK_STR(string_text("\xc0\xaf", 2), "\"\uefc0\uefaf\"");
	CHECK_STR(string_text("\xe0\x80\xaf", 3), "\"\uefe0\uef80\uefaf\"");
	CHECK_STR(string_text("\xf0\x80\x80\xaf", 4), "\"\ueff0\uef80\uef80\uefaf\"");
	CHECK_STR(string_text("\xed\xa0\x80", 3), "\"\uefed\uefa0\uef80\"");
	CHECK_STR(string_text("\xf4\x90\x80\x80", 4), "\"\ueff4\uef90\uef80\uef80\"");
	CHECK_STR(string_text("\xf8", 1), "\"\ueff8\"");
	/* those that stand for bytes are such bytes, their neighbours are not */
	CHECK_STR(string_text("\uef80", 3), "\"\uefee\uefbe\uef80\"");
	CHECK_STR(string_text("\uefff", 3), "\"\uefee\uefbf\uefbf\"");
	CHECK_STR(string_text("\uef7f\uf000", 6), "\"\uef7f\uf000\"");
}

/* The byte that the character at P stands for; -1: itself. */
static int byte_of(const unsigned char *p)
{
	int c;

	if (p[0] != 0xee || (p[1] != 0xbe && p[1] != 0xbf))
		return -1;
	c = (p[1] & 0x3f) << 6 | (p[2] & 0x3f);
	return (0xe000 | c) - 0xef00;
}

/* Take back what json_put_string() did. */
static void undo(const unsigned char *p, size_t len, struct buf *out)
{
	static const char names[] = "bfnrt\"\\", bytes[] = "\b\f\n\r\t\"\\";
	const unsigned char *end = p + len;
	unsigned code;

	while (p < end) {
		if (*p == '\\' && p[1] == 'u') {
			sscanf((const char *)p, "\\u%4x", &code);
			buf_putc(out, (char)code);
			p += 6;
		} else if (*p == '\\') {
			buf_putc(out, bytes[strchr(names, p[1]) - names]);
			p += 2;
		} else if (byte_of(p) >= 0) {
			buf_putc(out, (char)byte_of(p));
			p += 3;
		} else {
			buf_putc(out, (char)*p++);
		}
	}
}

/* Whatever the bytes are, what is written is UTF-8, and they can be had back. */
static void test_any_bytes(void)
{
	static const unsigned char some[] = {0, '\n', ' ', '"', '\\', 'a', 0x7f, 0x80, 0x8f, 0x90,
		0x9f, 0xa0, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xef,
		0xf0, 0xf1, 0xf4, 0xf5, 0xff};
	iconv_t check = iconv_open("UTF-32LE", "UTF-8");
	uint64_t seed = 1;
	int bad = 0;

	for (int round = 0; round < 200000; round++) {
		struct buf json = {0}, back = {0};
		char bytes[6], wide[256];
		char *in, *out = wide;
		size_t n, left = sizeof(wide);

		for (n = 0; n < sizeof(bytes); n++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			bytes[n] = (char)some[(seed >> 33) % sizeof(some)];
		}
		json_put_string(&json, bytes, n);
		in = json.data;
		n = json.len;
		bad += iconv(check, &in, &n, &out, &left) == (size_t)-1;
		undo((unsigned char *)json.data + 1, json.len - 2, &back);
		bad += back.len != sizeof(bytes) || memcmp(back.data, bytes, sizeof(bytes)) != 0;
		buf_free(&json);
		buf_free(&back);
	}
	CHECK_INT(bad, 0);
	iconv_close(check);
}

static const char *float_text(long double value, uint32_t size)
{
	static char text[64];
	struct buf b = {0};

	json_put_float(&b, value, size);
	snprintf(text, sizeof(text), "%s", b.data);
	buf_free(&b);
	return text;
}

static void test_numbers(void)
{
	struct buf b = {0};

	json_put_unsigned(&b, 0);
	buf_putc(&b, ' ');
	json_put_unsigned(&b, UINT64_MAX);
	buf_putc(&b, ' ');
	json_put_signed(&b, INT64_MIN);
	buf_putc(&b, ' ');
	json_put_signed(&b, INT64_MAX);
	buf_putc(&b, ' ');
	json_put_unsigned128(&b, (unsigned __int128)-1);
	buf_putc(&b, ' ');
	json_put_unsigned128(&b, (unsigned __int128)10000000000u * 10000000000u);
	CHECK_STR(b.data,
		"0 18446744073709551615 -9223372036854775808 9223372036854775807 "
		"340282366920938463463374607431768211455 100000000000000000000");
	buf_free(&b);
	CHECK_STR(float_text(5, 8), "5");
	CHECK_STR(float_text(0.1, 8), "0.1");
	CHECK_STR(float_text(0.1f, 4), "0.1");
	CHECK_STR(float_text(0.1L, 16), "0.1");
	CHECK_STR(float_text(1.0 / 3, 8), "0.3333333333333333");
	CHECK_STR(float_text(1e300, 8), "1e+300");
	CHECK_STR(float_text(INFINITY, 8), "\"inf\"");
	CHECK_STR(float_text(-INFINITY, 8), "\"-inf\"");
	CHECK_STR(float_text(NAN, 8), "\"nan\"");
}

/* ---- JSON ---- */

#define BEGIN_TEXT \
	"\"id\":1,\"provider\":\"dtrace\",\"module\":\"\",\"function\":\"\",\"name\":\"BEGIN\""

static void test_json_records(void)
{
	const struct dtrace_value values[] = {
		integer("int", 4, -1),
		{.kind = DTRACE_KIND_INT, .type = "uint64_t", .size = 8, .number = UINT64_MAX},
		{.kind = DTRACE_KIND_POINTER, .type = "void *", .size = 8, .number = 4096},
		{.kind = DTRACE_KIND_BYTES,
			.type = "char [2]",
			.size = 2,
			.is_char = true,
			.bytes = "\x01\xff",
			.len = 2},
		{.kind = DTRACE_KIND_FLOAT,
			.type = "float",
			.size = 4,
			.real = 1.5,
			.bytes = "\0\0\xc0\x3f",
			.len = 4},
		{.kind = DTRACE_KIND_INT,
			.type = "__int128",
			.size = 16,
			.is_signed = true,
			.bytes = "-170141183460469231731687303715884105728",
			.len = 40},
	};
	struct dtrace_value text = string("a\nb", 3);
	struct dtrace_item items[] = {
		{.action = DTRACE_ACTION_TRACE,
			.name = "trace",
			.values = &values[0],
			.nvalues = 1},
		{.action = DTRACE_ACTION_PRINTF,
			.name = "printf",
			.values = values,
			.nvalues = 6,
			.format = "%d ...\n",
			.text = "-1 ...\n",
			.text_len = 7},
		{.action = DTRACE_ACTION_TRACE, .name = "trace", .values = &text, .nvalues = 1},
		{.action = DTRACE_ACTION_NONE, .name = "raise"},
	};
	struct dtrace_record r = {.execname = "",
		.threadname = "",
		.probe = &begin,
		.clause = 3,
		.cpu = 1,
		.nitems = 4,
		.prefix = ""};
	struct output o;

	start(&o, "json", false);
	CHECK(o.w.consumer.want_time && !o.w.consumer.want_text);
	expect(&o, "{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}\n");
	record(&o, &r, items);
	expect(&o,
		"{\"type\":\"record\",\"cpu\":1," BEGIN_TEXT ",\"clause\":3,\"items\":["
		"{\"action\":\"trace\",\"values\":[{\"kind\":\"int\",\"type\":\"int\",\"size\":4,"
		"\"signed\":true,\"value\":-1}]},"
		"{\"action\":\"printf\",\"format\":\"%d ...\\n\",\"text\":\"-1 "
		"...\\n\",\"values\":["
		"{\"kind\":\"int\",\"type\":\"int\",\"size\":4,\"signed\":true,\"value\":-1},"
		"{\"kind\":\"int\",\"type\":\"uint64_t\",\"size\":8,\"signed\":false,\"value\":"
		"18446744073709551615},"
		"{\"kind\":\"pointer\",\"type\":\"void *\",\"size\":8,\"value\":4096},"
		"{\"kind\":\"bytes\",\"type\":\"char "
		"[2]\",\"size\":2,\"value\":\"01ff\",\"char\":true},"
		"{\"kind\":\"float\",\"type\":\"float\",\"size\":4,\"value\":1.5,\"bytes\":"
		"\"0000c03f\"},"
		"{\"kind\":\"int\",\"type\":\"__int128\",\"size\":16,\"signed\":true,\"value\":-"
		"170141183460469231731687303715884105728}]},"
		"{\"action\":\"trace\",\"values\":[{\"kind\":\"string\",\"type\":\"string\","
		"\"size\":257,\"value\":\"a\\nb\"}]},"
		"{\"action\":\"raise\"}]}\n");
	/* the default action; times and continuations are only there when they say something */
	r = (struct dtrace_record){.execname = "",
		.threadname = "",
		.probe = &begin,
		.time = 1700000000123456789,
		.continued = true,
		.prefix = ""};
	record(&o, &r, NULL);
	expect(&o,
		"{\"type\":\"record\",\"time\":1700000000123456789,\"cpu\":0," BEGIN_TEXT
		",\"clause\":0,\"continued\":true,\"items\":[]}\n");
	stop(&o, "{\"type\":\"end\",\"records\":2,\"drops\":0,\"errors\":0}\n");
}

static void test_json_stacks(void)
{
	struct dtrace_value s = stack(true, uframes, 4), k = stack(false, kframes, 2);
	struct dtrace_value sym = {.kind = DTRACE_KIND_SYMBOL,
		.type = "_symaddr",
		.size = 8,
		.frames = kframes,
		.nframes = 1};
	const struct dtrace_item items[] = {
		{.action = DTRACE_ACTION_STACK, .name = "ustack", .values = &s, .nvalues = 1},
		{.action = DTRACE_ACTION_STACK, .name = "stack", .values = &k, .nvalues = 1},
		{.action = DTRACE_ACTION_SYMBOL, .name = "sym", .values = &sym, .nvalues = 1},
	};
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 3};
	struct output o;

	start(&o, "json", false);
	expect(&o, "{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}\n");
	record(&o, &r, items);
	expect(&o,
		"{\"type\":\"record\",\"cpu\":0," BEGIN_TEXT ",\"clause\":0,\"items\":["
		"{\"action\":\"ustack\",\"values\":[{\"kind\":\"ustack\",\"type\":\"stack\","
		"\"size\":160,\"value\":["
		"{\"address\":4198400,\"object\":\"prog\",\"symbol\":\"f;g\",\"offset\":4},"
		"{\"address\":139637976732212,\"object\":\"libc.so.6\",\"offset\":4660},"
		"{\"address\":16},"
		"{\"address\":4199680,\"object\":\"prog\",\"symbol\":\"main\",\"offset\":1,"
		"\"text\":\"prog:0x1500\"}"
		"],\"pid\":77}]},"
		"{\"action\":\"stack\",\"values\":[{\"kind\":\"stack\",\"type\":\"stack\",\"size\":"
		"160,\"value\":["
		"{\"address\":18446744071578845200,\"object\":\"vmlinux\",\"symbol\":\"inner\","
		"\"offset\":16},"
		"{\"address\":18446744071578845440,\"object\":\"vmlinux\",\"symbol\":\"outer\","
		"\"offset\":0}]}]},"
		"{\"action\":\"sym\",\"values\":[{\"kind\":\"symbol\",\"type\":\"_symaddr\","
		"\"size\":8,\"value\":"
		"{\"address\":18446744071578845200,\"object\":\"vmlinux\",\"symbol\":\"inner\","
		"\"offset\":16}}]}]}\n");
	stop(&o, "{\"type\":\"end\",\"records\":1,\"drops\":0,\"errors\":0}\n");
}

static void test_json_tree(void)
{
	struct dtrace_member elements[] = {
		{.name = "", .index = 2, .value = integer("char", 1, 'x')}};
	struct dtrace_member members[] = {
		{.name = "a", .value = integer("int", 4, 5)},
		{.name = "e",
			.value = {.kind = DTRACE_KIND_ENUM,
				.type = "enum st",
				.size = 4,
				.number = 1,
				.bytes = "RUNNING",
				.len = 7}},
		{.name = "",
			.value = {.kind = DTRACE_KIND_ARRAY,
				.type = "char [4]",
				.size = 4,
				.members = elements,
				.nmembers = 1}},
		{.name = "n",
			.value = {.kind = DTRACE_KIND_STRUCT,
				.type = "struct deep",
				.size = 4,
				.cut = true}},
	};
	const struct dtrace_value values[] = {
		{.kind = DTRACE_KIND_STRUCT,
			.type = "struct foo",
			.size = 16,
			.members = members,
			.nmembers = 4},
		{.kind = DTRACE_KIND_POINTER, .type = "struct foo *", .size = 8, .number = 16},
	};
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_PRINT, .name = "print", .values = values, .nvalues = 2};
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 1};
	struct output o;

	elements[0].value.is_char = true;
	start(&o, "json", false);
	expect(&o, "{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}\n");
	record(&o, &r, &item);
	expect(&o,
		"{\"type\":\"record\",\"cpu\":0," BEGIN_TEXT
		",\"clause\":0,\"items\":[{\"action\":\"print\",\"values\":["
		"{\"kind\":\"struct\",\"type\":\"struct foo\",\"size\":16,\"value\":["
		"{\"member\":\"a\",\"kind\":\"int\",\"type\":\"int\",\"size\":4,\"signed\":true,"
		"\"value\":5},"
		"{\"member\":\"e\",\"kind\":\"enum\",\"type\":\"enum "
		"st\",\"size\":4,\"signed\":false,\"value\":1,\"enumerator\":\"RUNNING\"},"
		"{\"member\":\"\",\"kind\":\"array\",\"type\":\"char [4]\",\"size\":4,\"value\":["
		"{\"index\":2,\"kind\":\"int\",\"type\":\"char\",\"size\":1,\"signed\":true,"
		"\"value\":120,\"char\":true}]},"
		"{\"member\":\"n\",\"kind\":\"struct\",\"type\":\"struct "
		"deep\",\"size\":4,\"value\":[],\"cut\":true}]},"
		"{\"kind\":\"pointer\",\"type\":\"struct foo *\",\"size\":8,\"value\":16}]}]}\n");
	stop(&o, "{\"type\":\"end\",\"records\":1,\"drops\":0,\"errors\":0}\n");
}

/* ---- aggregations ---- */

static const struct dtrace_aggregation aggs[] = {
	{.name = "a", .id = 1, .function = DTRACE_COUNT, .function_name = "count", .nkeys = 2},
	{.name = "b", .id = 2, .function = DTRACE_STDDEV, .function_name = "stddev", .nkeys = 2},
};
static const struct dtrace_aggregation dist = {.name = "d",
	.id = 3,
	.function = DTRACE_LQUANTIZE,
	.function_name = "lquantize",
	.base = -10,
	.limit = 10,
	.step = 5,
	.nkeys = 1};
static const struct dtrace_aggregation stacks = {
	.name = "s", .id = 4, .function = DTRACE_SUM, .function_name = "sum", .nkeys = 3};

static const struct dtrace_bucket buckets[] = {
	{INT64_MIN, -11, 4}, {-5, -1, -2}, {10, INT64_MAX, 9}};

static void test_json_tables(void)
{
	const struct dtrace_value keys[] = {string("x\xff", 2), integer("short", 2, -3)};
	const struct dtrace_agg_value cpus[] = {
		{.aggregation = &aggs[0], .present = true, .normal = 1, .number = 6, .words = {6}},
		{.aggregation = &aggs[0], .present = true, .normal = 1, .number = 1, .words = {1}},
	};
	const struct dtrace_agg_value values[] = {
		{.aggregation = &aggs[0],
			.present = true,
			.normal = 1,
			.number = -1,
			.words = {UINT64_MAX},
			.cpus = cpus,
			.ncpus = 2},
		{.aggregation = &aggs[1],
			.normal = 10,
			.number = 3,
			.words = {2, (uint64_t)-7, 5, 1}},
	};
	const struct dtrace_row row = {
		.keys = keys, .values = values, .text = "x 1\n", .text_len = 4};
	const struct dtrace_agg_value dvalue = {.aggregation = &dist,
		.present = true,
		.normal = 2,
		.buckets = buckets,
		.nbuckets = 3};
	const struct dtrace_row drow = {.keys = keys, .values = &dvalue};
	struct dtrace_table t = {aggs, 2, 1, "%s %@d\n", false, &row, 0};
	const struct dtrace_table clear = {aggs, 1, 0, NULL, false, NULL, 0};
	const struct dtrace_item items[] = {
		{.action = DTRACE_ACTION_PRINTA,
			.name = "printa",
			.format = "%s %@d\n",
			.table = &t},
		{.action = DTRACE_ACTION_CLEAR, .name = "clear", .table = &clear},
	};
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 2};
	struct output o;

	start(&o, "json", false);
	expect(&o, "{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}\n");
	record(&o, &r, items);
	expect(&o,
		"{\"type\":\"record\",\"cpu\":0," BEGIN_TEXT
		",\"clause\":0,\"items\":[{\"action\":\"printa\",\"format\":\"%s %@d\\n\","
		"\"aggregations\":[{\"name\":\"a\",\"id\":1,\"function\":\"count\"},{\"name\":"
		"\"b\",\"id\":2,\"function\":\"stddev\"}],"
		"\"rows\":[{\"keys\":[{\"kind\":\"string\",\"type\":\"string\",\"size\":257,"
		"\"value\":\"x\uefff\"},"
		"{\"kind\":\"int\",\"type\":\"short\",\"size\":2,\"signed\":true,\"value\":-3}],"
		"\"values\":[{\"value\":18446744073709551615,\"cpus\":[{\"value\":6},{\"value\":1}]"
		"},"
		"{\"value\":3,\"count\":2,\"sum\":-7,\"sum_of_squares\":18446744073709551621,"
		"\"normal\":10,\"present\":false}],"
		"\"text\":\"x 1\\n\"}]},"
		"{\"action\":\"clear\",\"aggregations\":[{\"name\":\"a\",\"id\":1,\"function\":"
		"\"count\"}]}]}\n");
	t = (struct dtrace_table){&dist, 1, 1, NULL, true, &drow, 0};
	table(&o, &t);
	expect(&o,
		"{\"type\":\"aggregation\",\"aggregations\":[{\"name\":\"d\",\"id\":3,\"function\":"
		"\"lquantize\","
		"\"base\":-10,\"limit\":10,\"step\":5}],\"rows\":[{\"keys\":["
		"{\"kind\":\"string\",\"type\":\"string\",\"size\":257,\"value\":\"x\uefff\"}],"
		"\"values\":[{\"buckets\":["
		"{\"low\":-9223372036854775808,\"high\":-11,\"count\":4},{\"low\":-5,\"high\":-1,"
		"\"count\":-2},"
		"{\"low\":10,\"high\":9223372036854775807,\"count\":9}],\"normal\":2}]}]}\n");
	stop(&o, "{\"type\":\"end\",\"records\":1,\"drops\":0,\"errors\":0}\n");
}

static void test_json_losses(void)
{
	const struct dtrace_drop drop = {"PRINCIPAL", 1, 3, 5, "3 drops on CPU 1"};
	const struct dtrace_drop unknown = {"DYNAMIC", -1, 1, 1, "1 dynamic variable drop"};
	const struct dtrace_place use = {NULL, 2, 9, "{ trace(f) }", "f"};
	const struct dtrace_place definition = {
		"a.d", 1, 16, "inline int f = *(int *)16;", "*(int *)16"};
	const struct dtrace_place loop = {"b.d", 7, 3, "  while (1)", NULL};
	const struct dtrace_fault fault = {.probe = &write_entry,
		.clause = 2,
		.cpu = 1,
		.code = DTRACE_FAULT_BADADDR,
		.value = 16,
		.what = "invalid address (0x10)",
		.text = "error in dt_clause_2 ...",
		.action = 1,
		.place = &use,
		.definition = &definition};
	const struct dtrace_fault bound = {.code = DTRACE_FAULT_LOOPBOUND,
		.value = 1024,
		.what = "loop",
		.text = "loop",
		.place = &loop};
	const struct dtrace_fault nowhere = {
		.code = DTRACE_FAULT_LIBRARY, .what = "couldn't", .text = "couldn't"};
	const struct dtrace_record r = {.execname = "", .threadname = "", .probe = &begin};
	struct output o;
	const struct dtrace_consumer *c = &o.w.consumer;

	start(&o, "json", false);
	expect(&o, "{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}\n");
	/* what happens within a record does not tear its line */
	CHECK_INT(c->begin(c->arg, &r), 0);
	CHECK_INT(c->fault(c->arg, &nowhere), 0);
	CHECK_INT(c->end(c->arg, &r), 0);
	CHECK_INT(c->drop(c->arg, &drop), 0);
	CHECK_INT(c->drop(c->arg, &unknown), 0);
	CHECK_INT(c->fault(c->arg, &fault), 0);
	CHECK_INT(c->fault(c->arg, &bound), 0);
	expect(&o,
		"{\"type\":\"record\",\"cpu\":0," BEGIN_TEXT ",\"clause\":0,\"items\":[]}\n"
		"{\"type\":\"error\",\"clause\":0,\"cpu\":0,\"code\":1000,\"value\":0,\"what\":"
		"\"couldn't\","
		"\"text\":\"couldn't\"}\n"
		"{\"type\":\"drop\",\"kind\":\"PRINCIPAL\",\"cpu\":1,\"count\":3,\"total\":5,"
		"\"text\":\"3 drops on CPU 1\"}\n"
		"{\"type\":\"drop\",\"kind\":\"DYNAMIC\",\"count\":1,\"total\":1,\"text\":\"1 "
		"dynamic variable drop\"}\n"
		"{\"type\":\"error\",\"id\":42,\"provider\":\"syscall\",\"module\":\"vmlinux\","
		"\"function\":\"write\",\"name\":\"entry\","
		"\"clause\":2,\"cpu\":1,\"code\":1,\"value\":16,\"what\":\"invalid address "
		"(0x10)\",\"text\":\"error in dt_clause_2 ...\",\"action\":1,\"line\":2,"
		"\"column\":9,\"expression\":\"f\",\"definition\":{\"file\":\"a.d\",\"line\":1,"
		"\"column\":16,\"expression\":\"*(int *)16\"}}\n"
		"{\"type\":\"error\",\"clause\":0,\"cpu\":0,\"code\":12,\"value\":1024,\"what\":"
		"\"loop\",\"text\":\"loop\",\"action\":0,\"file\":\"b.d\",\"line\":7,\"column\":3}"
		"\n");
	stop(&o, "{\"type\":\"end\",\"records\":1,\"drops\":4,\"errors\":3}\n");
}

/* ---- folded ---- */

static void test_folded(void)
{
	const struct dtrace_value user = stack(true, uframes, 3), kernel = stack(false, kframes, 2);
	const struct dtrace_value none = stack(false, NULL, 0), name = string("a;b\nc", 5);
	const struct dtrace_value keys[] = {kernel, name, user}, others[] = {none, name, none};
	const struct dtrace_agg_value v = {
		.aggregation = &stacks, .present = true, .normal = 1, .number = -5};
	const struct dtrace_row rows[] = {
		{.keys = keys, .values = &v}, {.keys = others, .values = &v}};
	const struct dtrace_table t = {&stacks, 1, 2, NULL, true, rows, 0};
	const struct dtrace_item items[] = {
		{.action = DTRACE_ACTION_STACK, .name = "stack", .values = &kernel, .nvalues = 1},
		{.action = DTRACE_ACTION_STACK, .name = "ustack", .values = &user, .nvalues = 1},
		{.action = DTRACE_ACTION_STACK, .name = "stack", .values = &none, .nvalues = 1},
		{.action = DTRACE_ACTION_TRACE, .name = "trace", .values = &name, .nvalues = 1},
	};
	struct dtrace_record r = {.execname = "", .threadname = "", .probe = &begin, .nitems = 4};
	struct output o;

	start(&o, "folded", false);
	table(&o, &t);
	expect(&o,
		"a:b c;0x10;libc.so.6`0x7f0000001234;prog`f:g;vmlinux`outer;vmlinux`inner -5\n"
		"a:b c -5\n");
	record(&o, &r, items);
	r.nitems = 2;
	record(&o, &r, items);
	r.nitems = 1;
	record(&o, &r, items);
	record(&o, &r, &items[3]);
	/* of records nothing is known before the end */
	expect(&o, "");
	stop(&o,
		"0x10;libc.so.6`0x7f0000001234;prog`f:g;vmlinux`outer;vmlinux`inner 2\n"
		"[no stack] 1\n"
		"vmlinux`outer;vmlinux`inner 1\n");
}

/* More stacks than the table of them has places at first. */
static void test_folded_many(void)
{
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 1};
	char name[16], want[32];
	struct output o;
	unsigned lines = 0;

	start(&o, "folded", false);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 3000; i++) {
			const struct dtrace_frame f = {
				1, "", name, 0, name, "", 0, false, false, ""};
			const struct dtrace_value v = stack(false, &f, 1);
			const struct dtrace_item item = {.action = DTRACE_ACTION_STACK,
				.name = "stack",
				.values = &v,
				.nvalues = 1};

			snprintf(name, sizeof(name), "f%d", i);
			record(&o, &r, &item);
		}
	CHECK_INT(o.w.consumer.finish(o.w.consumer.arg), 0);
	for (char *p = o.text, *end; *p; p = end + 1, lines++) {
		end = strchr(p, '\n');
		*end = '\0';
		snprintf(want, sizeof(want), "f%u 2", lines);
		CHECK_STR(p, want);
	}
	CHECK_INT(lines, 3000);
	o.w.release(o.w.consumer.arg);
	fclose(o.out);
	free(o.text);
}

/* Aggregations without stacks have nothing to say; distributions count what is in them. */
static void test_folded_others(void)
{
	const struct dtrace_value key = string("x", 1), kernel = stack(false, kframes, 1);
	const struct dtrace_agg_value v = {.aggregation = &dist,
		.present = true,
		.normal = 2,
		.buckets = buckets,
		.nbuckets = 3};
	struct dtrace_row row = {.keys = &key, .values = &v};
	const struct dtrace_table t = {&dist, 1, 1, NULL, true, &row, 0};
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_PRINTA, .name = "printa", .table = &t};
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 1};
	struct output o;

	start(&o, "folded", false);
	table(&o, &t);
	expect(&o, "");
	row.keys = &kernel;
	record(&o, &r, &item);
	stop(&o, "vmlinux`inner 5\n");
}

/* ---- CSV ---- */

static void test_csv(void)
{
	const struct dtrace_value key1[] = {string("a,b", 3), integer("int", 4, -3)};
	const struct dtrace_value key2[] = {
		string("q\"r", 3), {.kind = DTRACE_KIND_BYTES, .bytes = "\x01\xab", .len = 2}};
	const struct dtrace_value key3[] = {string("", 0), stack(false, kframes, 2)};
	const struct dtrace_agg_value v1[] = {
		{.aggregation = &aggs[0], .present = true, .normal = 1, .number = -1},
		{.aggregation = &aggs[1], .present = false, .normal = 1},
	};
	const struct dtrace_agg_value v2[] = {
		{.aggregation = &aggs[0], .present = true, .normal = 1, .number = 7},
		{.aggregation = &aggs[1], .present = true, .normal = 1, .number = 3},
	};
	const struct dtrace_row rows[] = {{.keys = key1, .values = v1},
		{.keys = key2, .values = v2}, {.keys = key3, .values = v1}};
	const struct dtrace_value line = string("two\nlines", 9);
	const struct dtrace_agg_value dv = {.aggregation = &dist,
		.present = true,
		.normal = 2,
		.buckets = buckets,
		.nbuckets = 3};
	const struct dtrace_row drow = {.keys = &line, .values = &dv};
	const struct dtrace_table joined = {aggs, 2, 3, NULL, false, rows, 0};
	const struct dtrace_table d = {&dist, 1, 1, NULL, true, &drow, 0},
				  empty = {&dist, 1, 0, NULL, true, NULL, 0};
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_PRINTA, .name = "printa", .table = &joined};
	const struct dtrace_record r = {
		.execname = "", .threadname = "", .probe = &begin, .nitems = 1};
	struct output o;

	start(&o, "csv", false);
	table(&o, &empty);
	expect(&o, "");
	record(&o, &r, &item);
	table(&o, &d);
	stop(&o,
		"name,key1,key2,value\n"
		"a,\"a,b\",-3,18446744073709551615\n"
		"a,\"q\"\"r\",01ab,7\n"
		"a,,vmlinux`outer;vmlinux`inner,18446744073709551615\n"
		"\n"
		"name,key1,key2,value\n"
		"b,\"q\"\"r\",01ab,3\n"
		"\n"
		"name,key1,low,high,count\n"
		"d,\"two\nlines\",-9223372036854775808,-11,2\n"
		"d,\"two\nlines\",-5,-1,-1\n"
		"d,\"two\nlines\",10,9223372036854775807,4\n");
}

/* ---- errors ---- */

/* A full disk is noticed at the latest when the pass is over, and reported as what it is. */
static void test_write_errors(void)
{
	static const char *const formats[] = {
		"json", "folded", "csv", "oformat-json", "oformat-xml", "oformat-html"};
	const struct writer_info info = {.version = "0.1"};
	const struct dtrace_value keys[] = {
		stack(false, kframes, 2), string("x", 1), string("y", 1)};
	const struct dtrace_agg_value v = {
		.aggregation = &stacks, .present = true, .normal = 1, .number = 5};
	const struct dtrace_row row = {.keys = keys, .values = &v};
	const struct dtrace_table t = {&stacks, 1, 1, NULL, true, &row, 0};

	for (unsigned i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		for (int buffered = 0; buffered < 2; buffered++) {
			const struct writer_format *f = writer_formats;
			FILE *full = fopen("/dev/full", "w");
			struct writer w;
			int err;

			if (!buffered)
				setvbuf(full, NULL, _IONBF, 0);
			while (strcmp(f->name, formats[i]))
				f++;
			CHECK_INT(f->open(full, &info, &w), 0);
			err = w.consumer.table(w.consumer.arg, &t);
			CHECK_INT(err, buffered ? 0 : -ENOSPC);
			if (buffered)
				CHECK_INT(w.consumer.flush(w.consumer.arg), -ENOSPC);
			w.release(w.consumer.arg);
			fclose(full);
		}
}

/* A table whose rows cannot be made is not passed off as a short one. */
static void test_no_rows(void)
{
	const struct dtrace_table t = {&dist, 1, 2, NULL, true, NULL, 0};
	static const char *const formats[] = {"json", "folded", "csv", "oformat-json"};

	for (unsigned i = 0; i < 4; i++) {
		struct output o;

		start(&o, formats[i], false);
		CHECK_INT(o.w.consumer.table(o.w.consumer.arg, &t), -ENOMEM);
		o.w.release(o.w.consumer.arg);
		fclose(o.out);
		free(o.text);
	}
}

int main(void)
{
	test_strings();
	test_any_bytes();
	test_numbers();
	test_json_records();
	test_json_stacks();
	test_json_tree();
	test_json_tables();
	test_json_losses();
	test_folded();
	test_folded_many();
	test_folded_others();
	test_csv();
	test_write_errors();
	test_no_rows();
	return test_done();
}
