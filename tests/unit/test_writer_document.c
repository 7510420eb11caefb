// SPDX-License-Identifier: Apache-2.0
/*
 * Option oformat's documents.
 * @ref output 17 record value message aggregation-scalar aggregation-buckets stack-frames
 * @ref output 17 ustack-frames symbols print-types drops xml html document pretty
 */
#include <string.h>

#include "formats/writer.h"
#include "session/formats.h"
#include "test.h"

static const struct dtrace_probe probe = {
	.id = 42, .provider = "syscall", .module = "vmlinux", .function = "write", .name = "entry"};

static const struct dtrace_frame frames[] = {
	{0xffffffff81000010, "vmlinux", "inner", 16, "vmlinux`inner+0x10", "", 0, false, false, ""},
	{0x1234, "/lib/libc.so.6", "", 0x234, "libc.so.6`0x1234", "", 0, false, false, ""},
};

static struct dtrace_value integer(const char *type, int64_t n)
{
	return (struct dtrace_value){.kind = DTRACE_KIND_INT,
		.type = type,
		.size = 4,
		.is_signed = true,
		.number = (uint64_t)n,
		.bytes = ""};
}

static struct dtrace_value string(const char *s)
{
	return (struct dtrace_value){.kind = DTRACE_KIND_STRING,
		.type = "string",
		.size = 257,
		.bytes = s,
		.len = strlen(s)};
}

/* The rows of a table are an array here. */
const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_row *rows = t->insides;

	return &rows[i];
}

struct output {
	struct writer w;
	FILE *out;
	char *text;
	size_t len;
};

static void start(struct output *o, const char *format, bool pretty)
{
	const struct writer_info info = {.version = "0.1", .pretty = pretty};
	const struct writer_format *f = writer_formats;

	*o = (struct output){0};
	o->out = open_memstream(&o->text, &o->len);
	while (strcmp(f->name, format))
		f++;
	CHECK(f->hidden);
	CHECK_INT(f->open(o->out, &info, &o->w), 0);
}

static void record(struct output *o, const struct dtrace_item *items, unsigned n)
{
	const struct dtrace_record r = {
		.probe = &probe, .cpu = 1, .time = 1700000000000000000, .nitems = n};
	const struct dtrace_consumer *c = &o->w.consumer;

	CHECK_INT(c->begin(c->arg, &r), 0);
	for (unsigned i = 0; i < n; i++)
		CHECK_INT(c->item(c->arg, &r, &items[i]), 0);
	CHECK_INT(c->end(c->arg, &r), 0);
}

/* Timestamps that were taken here become T. */
static void mask_times(char *text)
{
	static const char tag[] = "\"timestamp\":";
	char *p = text;

	while ((p = strstr(p, tag)) != NULL) {
		size_t n;

		p += strlen(tag);
		n = strspn(p, "0123456789");
		if (!strncmp(p, "1700000000000000000", n))
			continue;
		CHECK(n == 19);
		*p = 'T';
		memmove(p + 1, p + n, strlen(p + n) + 1);
	}
}

static void stop(struct output *o, const char *want)
{
	CHECK_INT(o->w.consumer.finish(o->w.consumer.arg), 0);
	mask_times(o->text);
	CHECK_STR(o->text, want);
	o->w.release(o->w.consumer.arg);
	fclose(o->out);
	free(o->text);
}

#define FIRING                                                                            \
	"\"timestamp\":1700000000000000000,\"cpu\":1,\"id\":42,\"provider\":\"syscall\"," \
	"\"module\":\"vmlinux\",\"function\":\"write\",\"name\":\"entry\""
#define PSEUDO                                                                                  \
	"\"timestamp\":T,\"cpu\":-1,\"id\":-1,\"provider\":\"dtrace\",\"module\":\"INTERNAL\"," \
	"\"function\":\"INTERNAL\""

static void test_empty(void)
{
	struct output o;

	start(&o, "oformat-json", false);
	stop(&o, "{\"dtrace\":{\"probes\":[]}}\n");
	start(&o, "oformat-xml", false);
	stop(&o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dtrace></dtrace>\n");
	start(&o, "oformat-html", false);
	stop(&o,
		"<!DOCTYPE html>\n<html><head><meta "
		"charset=\"utf-8\"><title>dtrace</title></head><body><div "
		"class=\"dtrace\"></div></body></html>\n");
}

static void test_items(void)
{
	const struct dtrace_value n = integer("int", -5), s = string("a\"b<&>\x01\xff");
	const struct dtrace_value args[] = {
		n, {.kind = DTRACE_KIND_FLOAT, .size = 8, .real = 0.25}};
	const struct dtrace_value kernel = {
		.kind = DTRACE_KIND_STACK, .frames = frames, .nframes = 1};
	const struct dtrace_value user = {
		.kind = DTRACE_KIND_USTACK, .pid = 3, .frames = frames, .nframes = 2};
	const struct dtrace_value symbol = {
		.kind = DTRACE_KIND_USYMBOL, .frames = &frames[1], .nframes = 1};
	const struct dtrace_value bytes = {
		.kind = DTRACE_KIND_BYTES, .bytes = "\x01\xab", .len = 2};
	const struct dtrace_item items[] = {
		{.action = DTRACE_ACTION_TRACE, .name = "trace", .values = &n, .nvalues = 1},
		{.action = DTRACE_ACTION_TRACE, .name = "trace", .values = &s, .nvalues = 1},
		{.action = DTRACE_ACTION_PRINTF,
			.name = "printf",
			.values = args,
			.nvalues = 2,
			.text = "x\n",
			.text_len = 2},
		{.action = DTRACE_ACTION_STACK, .name = "stack", .values = &kernel, .nvalues = 1},
		{.action = DTRACE_ACTION_STACK, .name = "ustack", .values = &user, .nvalues = 1},
		{.action = DTRACE_ACTION_SYMBOL, .name = "usym", .values = &symbol, .nvalues = 1},
		{.action = DTRACE_ACTION_TRACEMEM,
			.name = "tracemem",
			.values = &bytes,
			.nvalues = 1},
		{.action = DTRACE_ACTION_EXIT, .name = "exit", .values = &n, .nvalues = 1},
	};
	struct output o;

	start(&o, "oformat-json", false);
	record(&o, items, 8);
	record(&o, NULL, 0);
	stop(&o,
		"{\"dtrace\":{\"probes\":[{" FIRING ",\"output\":["
		"{\"value\":-5},{\"value\":\"a\\\"b<&>\\u0001\uefff\"},"
		"{\"message\":\"x\\n\"},{\"value\":-5},{\"value\":0.25},"
		"{\"stack-frames\":[{\"symbol\":\"vmlinux`inner+0x10\",\"module\":\"vmlinux\","
		"\"name\":\"inner\",\"offset\":16}]},"
		"{\"ustack-frames\":[{\"symbol\":\"vmlinux`inner+0x10\",\"module\":\"vmlinux\","
		"\"name\":\"inner\",\"offset\":16},"
		"{\"symbol\":\"libc.so.6`0x1234\",\"module\":\"libc.so.6\",\"name\":\"\","
		"\"offset\":564}]},"
		"{\"usym\":\"libc.so.6`0x1234\",\"object\":\"libc.so.6\",\"name\":\"\",\"offset\":"
		"564},"
		"{\"value\":\"01ab\"}]}\n"
		",{" FIRING ",\"output\":[]}\n]}}\n");
	/* what the syntax reserves, and what XML cannot say */
	start(&o, "oformat-xml", false);
	record(&o, &items[1], 1);
	stop(&o,
		"<?xml version=\"1.0\" "
		"encoding=\"UTF-8\"?>\n<dtrace><probes><timestamp>1700000000000000000</timestamp>"
		"<cpu>1</cpu><id>42</id><provider>syscall</provider><module>vmlinux</"
		"module><function>write</function>"
		"<name>entry</name><output><value>a&quot;b&lt;&amp;&gt;\uef01\uefff</value></"
		"output></probes>\n</dtrace>\n");
	start(&o, "oformat-html", false);
	record(&o, &items[3], 1);
	stop(&o,
		"<!DOCTYPE html>\n<html><head><meta "
		"charset=\"utf-8\"><title>dtrace</title></head><body><div class=\"dtrace\">"
		"<div class=\"probes\"><div class=\"data\" "
		"data-tag=\"timestamp\">1700000000000000000</div>"
		"<div class=\"data\" data-tag=\"cpu\">1</div><div class=\"data\" "
		"data-tag=\"id\">42</div>"
		"<div class=\"data\" data-tag=\"provider\">syscall</div><div class=\"data\" "
		"data-tag=\"module\">vmlinux</div>"
		"<div class=\"data\" data-tag=\"function\">write</div><div class=\"data\" "
		"data-tag=\"name\">entry</div>"
		"<div class=\"output\"><div class=\"stack-frames\"><div class=\"data\" "
		"data-tag=\"symbol\">vmlinux`inner+0x10</div>"
		"<div class=\"data\" data-tag=\"module\">vmlinux</div><div class=\"data\" "
		"data-tag=\"name\">inner</div>"
		"<div class=\"data\" "
		"data-tag=\"offset\">16</div></div></div></div>\n</div></body></html>\n");
}

static void test_print(void)
{
	struct dtrace_member elements[] = {{.name = "", .index = 2, .value = integer("int", 7)}};
	struct dtrace_member members[] = {
		{.name = "a", .value = integer("int", 5)},
		{.name = "v",
			.value = {.kind = DTRACE_KIND_ARRAY,
				.type = "int [4]",
				.members = elements,
				.nmembers = 1}},
		{.name = "e",
			.value = {.kind = DTRACE_KIND_ENUM,
				.type = "enum st",
				.number = 1,
				.bytes = "RUNNING",
				.len = 7}},
	};
	const struct dtrace_value value = {.kind = DTRACE_KIND_STRUCT,
		.type = "struct foo",
		.members = members,
		.nmembers = 3};
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_PRINT, .name = "print", .values = &value, .nvalues = 1};
	struct output o;

	start(&o, "oformat-json", false);
	record(&o, &item, 1);
	stop(&o,
		"{\"dtrace\":{\"probes\":[{" FIRING ",\"output\":[{\"type\":["
		"{\"object-name\":\"\",\"name\":\"struct foo\",\"member-name\":\"\"},"
		"{\"object-name\":\"\",\"name\":\"int\",\"member-name\":\"a\",\"value\":5},"
		"{\"object-name\":\"\",\"name\":\"int [4]\",\"member-name\":\"v\"},"
		"{\"object-name\":\"\",\"name\":\"int\",\"member-name\":\"v[2]\",\"value\":7},"
		"{\"object-name\":\"\",\"name\":\"enum "
		"st\",\"member-name\":\"e\",\"value\":\"RUNNING\"}]}]}\n]}}\n");
}

static void test_tables(void)
{
	static const struct dtrace_aggregation aggs[] = {
		{.name = "a",
			.id = 1,
			.function = DTRACE_COUNT,
			.function_name = "count",
			.nkeys = 2},
		{.name = "b", .id = 2, .function = DTRACE_MIN, .function_name = "min", .nkeys = 2},
	};
	static const struct dtrace_aggregation dist = {
		.name = "d", .id = 3, .function = DTRACE_QUANTIZE, .function_name = "quantize"};
	const struct dtrace_bucket buckets[] = {{-3, -2, 4}, {8, 15, 9}};
	const struct dtrace_value keys[] = {
		string("k"), {.kind = DTRACE_KIND_STACK, .frames = frames, .nframes = 1}};
	const struct dtrace_agg_value values[] = {
		{.aggregation = &aggs[0], .present = true, .normal = 1, .number = -1},
		{.aggregation = &aggs[1], .present = true, .normal = 1, .number = -2},
	};
	const struct dtrace_agg_value part[] = {values[0], {.aggregation = &aggs[1], .normal = 1}};
	const struct dtrace_row rows[] = {
		{.keys = keys, .values = values}, {.keys = keys, .values = part}};
	const struct dtrace_agg_value dvalue = {.aggregation = &dist,
		.present = true,
		.normal = 4,
		.buckets = buckets,
		.nbuckets = 2};
	const struct dtrace_row drow = {.values = &dvalue};
	const struct dtrace_table joined = {aggs, 2, 2, NULL, false, rows, 0},
				  final = {&dist, 1, 1, NULL, true, &drow, 0};
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_PRINTA, .name = "printa", .table = &joined};
	struct output o;

#define KEYS                                                                                \
	"\"keys\":[\"k\",{\"stack-frames\":[{\"symbol\":\"vmlinux`inner+0x10\",\"module\":" \
	"\"vmlinux\",\"name\":\"inner\",\"offset\":16}]}]"
	start(&o, "oformat-json", false);
	record(&o, &item, 1);
	CHECK_INT(o.w.consumer.table(o.w.consumer.arg, &final), 0);
	stop(&o,
		"{\"dtrace\":{\"probes\":[{" FIRING ",\"output\":["
		"{\"aggregation-data\":[{" KEYS ",\"count\":18446744073709551615},{" KEYS
		",\"count\":18446744073709551615}],\"aggregation-name\":\"a\"},"
		"{\"aggregation-data\":[{" KEYS ",\"min\":-2}],\"aggregation-name\":\"b\"}]}\n"
		",{" PSEUDO ",\"name\":\"AGGREGATION\",\"output\":["
		"{\"aggregation-data\":[{\"keys\":[],\"buckets\":[{\"value\":-3,\"count\":1},{"
		"\"value\":8,\"count\":2}]}],\"aggregation-name\":\"d\"}]}\n]}}\n");
}

static void test_drop(void)
{
	const struct dtrace_drop drop = {"PRINCIPAL", 1, 3, 5, "3 drops on CPU 1"};
	struct output o;

	start(&o, "oformat-json", false);
	CHECK_INT(o.w.consumer.drop(o.w.consumer.arg, &drop), 0);
	stop(&o,
		"{\"dtrace\":{\"probes\":[{" PSEUDO
		",\"name\":\"DROP\",\"count\":3,\"total\":5,\"kind\":\"PRINCIPAL\",\"msg\":\"3 "
		"drops on CPU 1\"}\n]}}\n");
}

static void test_pretty(void)
{
	const struct dtrace_value n = integer("int", 5);
	const struct dtrace_item item = {
		.action = DTRACE_ACTION_TRACE, .name = "trace", .values = &n, .nvalues = 1};
	struct output o;

	start(&o, "oformat-json", true);
	record(&o, &item, 1);
	stop(&o,
		"{\n  \"dtrace\": {\n    \"probes\": [\n      {\n        \"timestamp\": "
		"1700000000000000000,\n        \"cpu\": 1,\n"
		"        \"id\": 42,\n        \"provider\": \"syscall\",\n        \"module\": "
		"\"vmlinux\",\n        \"function\": \"write\",\n"
		"        \"name\": \"entry\",\n        \"output\": [\n          {\n            "
		"\"value\": 5\n          }\n        ]\n      }\n"
		"    ]\n  }\n}\n");
	start(&o, "oformat-xml", true);
	record(&o, NULL, 0);
	stop(&o,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dtrace>\n  <probes>\n    "
		"<timestamp>1700000000000000000</timestamp>\n"
		"    <cpu>1</cpu>\n    <id>42</id>\n    <provider>syscall</provider>\n    "
		"<module>vmlinux</module>\n"
		"    <function>write</function>\n    <name>entry</name>\n  </probes>\n</dtrace>\n");
}

int main(void)
{
	test_empty();
	test_items();
	test_print();
	test_tables();
	test_drop();
	test_pretty();
	return test_done();
}
