// SPDX-License-Identifier: Apache-2.0
/*
 * The classic interface without tracing: opening, errors, options, compiling, probes, and the raw
 * layout of records and of aggregations' values.
 * @ref cli 3.3 library-errors no-location
 */
#include "abi/kernel.h"
#include "abi/record.h"
#include "classic/classic.h"
#include "test.h"

#include <errno.h>
#include <string.h>

/* ---- handle ---- */

static void test_open(void)
{
	int err = 0;

	CHECK(!dtrace_open(DTRACE_VERSION + 1, DTRACE_O_NODEV, &err));
	CHECK_STR(dtrace_errmsg(NULL, err), "Client requested version newer than library");
	CHECK(!dtrace_open(0, DTRACE_O_NODEV, &err));
	CHECK_INT(err, EINVAL);
	CHECK(!dtrace_open(DTRACE_VERSION, 0x100, NULL));
	CHECK(!dtrace_open(DTRACE_VERSION, DTRACE_O_ILP32, &err));
	CHECK_INT(err, EINVAL);
	CHECK_STR(dtrace_errmsg(NULL, ENOENT), strerror(ENOENT));
	CHECK_STR(dtrace_errmsg(NULL, CLASSIC_BADTRACEMEM), "Missing or corrupt tracemem() record");
	CHECK(strstr(dtrace_errmsg(NULL, CLASSIC_BADTRACEMEM + 1), "Unknown error"));
	CHECK_STR(dtrace_faultstr(NULL, DTRACEFLT_DIVZERO), "divide-by-zero");
	CHECK_INT(DTRACEFLT_LOOPBOUND, DT_FAULT_LOOPBOUND);
	CHECK_INT(DTRACEFLT_LIBRARY, DT_FAULT_LIBRARY);
	CHECK_STR(dtrace_faultstr(NULL, DTRACEFLT_LOOPBOUND), "loop bound exceeded");
	CHECK_STR(dtrace_faultstr(NULL, 99), "unknown fault");
	dtrace_close(NULL);
}

static void test_options(dtrace_hdl_t *h)
{
	dtrace_optval_t v;

	CHECK_INT(dtrace_setopt(h, "nosuch", "1"), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Invalid option name");
	CHECK_INT(dtrace_setopt(h, "bufsize", "much"), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Invalid value for specified option");
	CHECK_INT(dtrace_getopt(h, "nosuch", &v), -1);
	CHECK_INT(dtrace_setopt(h, "bufsize", "2m"), 0);
	CHECK_INT(dtrace_getopt(h, "bufsize", &v), 0);
	CHECK_INT(v, 2 << 20);
	CHECK_INT(dtrace_getopt(h, "quiet", &v), 0);
	CHECK_INT(v, DTRACEOPT_UNSET);
	CHECK_INT(dtrace_setopt(h, "quiet", NULL), 0);
	dtrace_getopt(h, "quiet", &v);
	CHECK_INT(v, 1);
	dtrace_getopt(h, "bufpolicy", &v);
	CHECK_INT(v, DTRACEOPT_BUFPOLICY_SWITCH);
	CHECK_INT(dtrace_setopt(h, "bufpolicy", "ring"), 0);
	dtrace_getopt(h, "bufpolicy", &v);
	CHECK_INT(v, DTRACEOPT_BUFPOLICY_RING);
	CHECK_INT(dtrace_setopt(h, "bufpolicy", "switch"), 0);
}

/* ---- programs and probes ---- */

static int first_statement(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *s, void *arg)
{
	char text[DTRACE_FULLNAMELEN];

	CHECK_STR(dtrace_desc2str(&s->dtsd_ecbdesc->dted_probe, text, sizeof(text)),
		"dtrace:::BEGIN");
	return ++*(int *)arg == 1 ? 7 : 0;
}

static void test_compile(dtrace_hdl_t *h)
{
	char *const args[] = {(char *)"me", (char *)"12"};
	const uint_t zdefs = DTRACE_C_ZDEFS;
	dtrace_proginfo_t info;
	dtrace_prog_t *p;
	char text[64];
	int seen = 0;

	CHECK(!dtrace_program_strcompile(
		h, "BEGIN { trace(nope); }", DTRACE_PROBESPEC_NAME, 0, 0, NULL));
	CHECK_INT(dtrace_errno(h), CLASSIC_COMPILER);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)),
		"in action list: failed to resolve nope: Unknown variable name");
	CHECK_STR(dtrace_errmsg(h, CLASSIC_NOMEM), "Memory allocation failure");
	CHECK(!dtrace_program_strcompile(h, "BEGIN", DTRACE_PROBESPEC_NONE, 0, 0, NULL));
	CHECK(!dtrace_program_strcompile(h, "BEGIN", DTRACE_PROBESPEC_NAME, 0x400, 0, NULL));
	CHECK_INT(dtrace_errno(h), EINVAL);

	/* flags are of one program */
	CHECK(!dtrace_program_strcompile(
		h, "no:such:probe:here", DTRACE_PROBESPEC_NAME, 0, 0, NULL));
	CHECK(dtrace_program_strcompile(
		h, "no:such:probe:here", DTRACE_PROBESPEC_NAME, zdefs, 0, NULL));
	CHECK(!dtrace_program_strcompile(
		h, "no:such:probe:here", DTRACE_PROBESPEC_NAME, 0, 0, NULL));

	/* $0, $1; those of the program before are not there */
	p = dtrace_program_strcompile(
		h, "dtrace:::BEGIN { trace($1); trace($$0); }", DTRACE_PROBESPEC_NAME, 0, 2, args);
	CHECK(p);
	CHECK(!dtrace_program_strcompile(
		h, "BEGIN { trace($1); }", DTRACE_PROBESPEC_NAME, 0, 0, NULL));
	if (!p)
		return;
	dtrace_program_info(h, p, &info);
	CHECK_INT(info.dpi_matches, 1);
	CHECK_STR(dtrace_attr2str(info.dpi_descattr, text, sizeof(text)), "Stable/Stable/Common");
	CHECK_INT(dtrace_stmt_iter(h, p, first_statement, &seen), 7);
	CHECK_INT(seen, 1);
}

static void test_file(dtrace_hdl_t *h)
{
	FILE *f = tmpfile();

	fputs("#!/usr/sbin/dtrace -s\n\nBEGIN\n{\n\ttrace(nope);\n}\n", f);
	rewind(f);
	CHECK(!dtrace_program_fcompile(h, f, 0, 0, NULL));
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)),
		"line 5: failed to resolve nope: Unknown variable name");
	fclose(f);
}

static int note_probe(dtrace_hdl_t *h, const dtrace_probedesc_t *p, void *arg)
{
	*(dtrace_id_t *)arg = p->dtpd_id;
	CHECK_STR(p->dtpd_provider, "dtrace");
	return strcmp(p->dtpd_name, "END") ? 0 : 3;
}

static void test_probes(dtrace_hdl_t *h)
{
	dtrace_probedesc_t p;
	dtrace_id_t id = 0;
	char text[DTRACE_FULLNAMELEN];

	CHECK_INT(dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, "a:b::d", &p), 0);
	CHECK_STR(p.dtpd_provider, "a");
	CHECK_STR(p.dtpd_mod, "b");
	CHECK_STR(p.dtpd_func, "");
	CHECK_STR(p.dtpd_name, "d");
	CHECK_INT(dtrace_str2desc(h, DTRACE_PROBESPEC_FUNC, "open*", &p), 0);
	CHECK_STR(dtrace_desc2str(&p, text, sizeof(text)), "::open*:");
	CHECK_INT(dtrace_str2desc(h, DTRACE_PROBESPEC_MOD, "a:b:c", &p), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Overspecified probe description");

	dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, "dtrace:::[BE][EN]*", &p);
	CHECK_INT(dtrace_probe_iter(h, &p, note_probe, &id), 3);
	CHECK_INT(dtrace_id2desc(h, id, &p), 0);
	CHECK_STR(dtrace_desc2str(&p, text, sizeof(text)), "dtrace:::END");
	CHECK_INT(dtrace_id2desc(h, 0, &p), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Unknown probe identifier");
	dtrace_str2desc(h, DTRACE_PROBESPEC_NAME, "nosuchprovider:::", &p);
	CHECK_INT(dtrace_probe_iter(h, &p, note_probe, &id), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "No probe matches description");
}

/* Nothing can be asked of tracing that has not begun. */
static void test_order(dtrace_hdl_t *h)
{
	char buf[64];

	CHECK_INT(dtrace_status(h), DTRACE_STATUS_NONE);
	CHECK_INT(dtrace_work(h, NULL, NULL, NULL, NULL), DTRACE_WORKSTATUS_ERROR);
	CHECK_INT(dtrace_errno(h), EINVAL);
	CHECK_INT(dtrace_stop(h), -1);
	CHECK_INT(dtrace_aggregate_snap(h), -1);
	CHECK_INT(dtrace_addr2str(h, 0x1234, buf, sizeof(buf)), 7);
	CHECK_STR(buf, "0x1234");
	CHECK_INT(dtrace_uaddr2str(h, 1, 0x1234, buf, 3), 7);
	CHECK_STR(buf, "0x");
}

/* ---- records ---- */

static const dtrace_recdesc_t *record(const struct records *r, unsigned i)
{
	return (const dtrace_recdesc_t *)r->desc.data + i;
}

static const void *data(const struct records *r, unsigned i)
{
	return r->data.data + record(r, i)->dtrd_offset;
}

static void test_values(void)
{
	struct dtrace_frame frames[9] = {{.address = 0x10}, {.address = 0x20}};
	struct dtrace_value v[] = {
		{.kind = DTRACE_KIND_INT, .size = 1, .number = 200},
		{.kind = DTRACE_KIND_INT, .size = 4, .is_signed = true, .number = -5ULL},
		{.kind = DTRACE_KIND_STRING, .size = 257, .bytes = "hello", .len = 5},
		{.kind = DTRACE_KIND_STRING, .size = 8, .bytes = "0123456789abcdef", .len = 16},
		{.kind = DTRACE_KIND_STACK, .frames = frames, .nframes = 2},
		{.kind = DTRACE_KIND_USTACK, .pid = 42, .frames = frames, .nframes = 8},
		{.kind = DTRACE_KIND_BYTES, .size = 3, .bytes = "\1\2\3", .len = 3},
	};
	struct records r = {0};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		classic_records_value(&r, &v[i], 0);
	CHECK(!classic_records_failed(&r));
	CHECK_INT(classic_records_count(&r), 7);
	CHECK_INT(record(&r, 0)->dtrd_action, DTRACEACT_DIFEXPR);
	CHECK_INT(record(&r, 0)->dtrd_size, 1);
	CHECK_INT(*(const uint8_t *)data(&r, 0), 200);
	CHECK_INT(record(&r, 1)->dtrd_offset, 4);
	CHECK_INT(*(const int32_t *)data(&r, 1), -5);
	CHECK_INT(record(&r, 2)->dtrd_size, 257);
	CHECK(!memcmp(data(&r, 2), "hello\0\0\0\0\0\0\0\0\0\0", 16));
	/* there is always a NUL */
	CHECK_INT(record(&r, 3)->dtrd_size, 32);
	CHECK_STR(data(&r, 3), "0123456789abcdef");
	CHECK_INT(record(&r, 4)->dtrd_action, DTRACEACT_STACK);
	CHECK_INT(record(&r, 4)->dtrd_arg, 8);
	CHECK_INT(record(&r, 4)->dtrd_size, 64);
	CHECK_INT(record(&r, 4)->dtrd_offset % 8, 0);
	CHECK_INT(((const uint64_t *)data(&r, 4))[1], 0x20);
	CHECK_INT(((const uint64_t *)data(&r, 4))[2], 0);
	CHECK_INT(record(&r, 5)->dtrd_action, DTRACEACT_USTACK);
	CHECK_INT(DTRACE_USTACK_NFRAMES(record(&r, 5)->dtrd_arg), 16);
	CHECK_INT(((const uint64_t *)data(&r, 5))[0], 42);
	CHECK_INT(((const uint64_t *)data(&r, 5))[1], 0x10);
	CHECK_INT(record(&r, 6)->dtrd_size, 3);
	CHECK(!memcmp(data(&r, 6), "\1\2\3", 3));
	classic_records_free(&r);
}

static void test_symbols(void)
{
	static const struct {
		enum dtrace_kind kind;
		const char *type;
		dtrace_actkind_t action;
	} list[] = {
		{DTRACE_KIND_SYMBOL, "sym", DTRACEACT_SYM},
		{DTRACE_KIND_SYMBOL, "mod", DTRACEACT_MOD},
		{DTRACE_KIND_USYMBOL, "usym", DTRACEACT_USYM},
		{DTRACE_KIND_USYMBOL, "uaddr", DTRACEACT_UADDR},
		{DTRACE_KIND_USYMBOL, "umod", DTRACEACT_UMOD},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		bool user = list[i].kind == DTRACE_KIND_USYMBOL;
		struct dtrace_frame f = {.address = 0x10};
		struct dtrace_value v = {
			.kind = list[i].kind, .type = list[i].type, .pid = 9, .frames = &f};
		struct records r = {0};

		classic_records_value(&r, &v, 0);
		CHECK_INT(record(&r, 0)->dtrd_action, list[i].action);
		CHECK_INT(record(&r, 0)->dtrd_size, user ? 16 : 8);
		CHECK_INT(((const uint64_t *)data(&r, 0))[user], 0x10);
		if (user)
			CHECK_INT(((const uint64_t *)data(&r, 0))[0], 9);
		classic_records_free(&r);
	}
}

/* ---- distributions: each bucket that there can be lands in its place ---- */

/* The number of the bucket that counts what is from LOW to HIGH; -1: not exactly one. */
static int place(const struct dtrace_aggregation *a, int64_t low, int64_t high, unsigned head)
{
	const struct dtrace_bucket b = {low, high, 77};
	const struct dtrace_agg_value v = {.aggregation = a, .buckets = &b, .nbuckets = 1};
	struct records r = {0};
	const int64_t *words;
	int at = -1, n = 0;

	classic_records_agg_value(&r, &v);
	words = data(&r, 0);
	for (unsigned i = head; i < record(&r, 0)->dtrd_size / 8; i++) {
		if (words[i] == 77)
			at = (int)(i - head);
		n += words[i] != 0;
	}
	classic_records_free(&r);
	return n == 1 ? at : -1;
}

static void test_quantize(void)
{
	struct dtrace_aggregation a = {.function = DTRACE_QUANTIZE};
	int64_t low, high;

	for (int i = 0; i < DTRACE_QUANTIZE_NBUCKETS; i++) {
		agg_bucket_bounds(AGG_quantize, NULL, (uint32_t)i, &low, &high);
		CHECK_INT(place(&a, low, high, 0), i);
		CHECK_INT(DTRACE_QUANTIZE_BUCKETVAL(i), low > 0 ? low : high < 0 ? high : 0);
	}
}

static void test_lquantize(int32_t base, int32_t limit, uint16_t step)
{
	struct agg_params p = {.base = base, .limit = limit, .step = step};
	struct dtrace_aggregation a = {
		.function = DTRACE_LQUANTIZE, .base = base, .limit = limit, .step = step};
	struct dtrace_agg_value none = {.aggregation = &a};
	uint32_t n = agg_nbuckets(AGG_lquantize, &p);
	struct records r = {0};
	int64_t low, high;

	classic_records_agg_value(&r, &none);
	CHECK_INT(record(&r, 0)->dtrd_size, 8 * (n + 1));
	CHECK_INT(*(const uint64_t *)data(&r, 0), record(&r, 0)->dtrd_arg);
	CHECK_INT(DTRACE_LQUANTIZE_BASE(record(&r, 0)->dtrd_arg), base);
	CHECK_INT(DTRACE_LQUANTIZE_STEP(record(&r, 0)->dtrd_arg), step);
	CHECK_INT(DTRACE_LQUANTIZE_LEVELS(record(&r, 0)->dtrd_arg), n - 2);
	classic_records_free(&r);
	for (uint32_t i = 0; i < n; i++) {
		agg_bucket_bounds(AGG_lquantize, &p, i, &low, &high);
		CHECK_INT(place(&a, low, high, 1), i);
	}
}

static void test_llquantize(uint16_t factor, uint16_t lmag, uint16_t hmag, uint16_t steps)
{
	struct agg_params p = {.factor = factor, .lmag = lmag, .hmag = hmag, .steps = steps};
	struct dtrace_aggregation a = {.function = DTRACE_LLQUANTIZE,
		.factor = factor,
		.low = lmag,
		.high = hmag,
		.steps = steps};
	struct dtrace_agg_value none = {.aggregation = &a};
	uint32_t half = (agg_nbuckets(AGG_llquantize, &p) - 1) / 2;
	struct records r = {0};
	int64_t low, high;

	classic_records_agg_value(&r, &none);
	CHECK_INT(record(&r, 0)->dtrd_size, 8 * (half + 2));
	CHECK_INT(DTRACE_LLQUANTIZE_FACTOR(record(&r, 0)->dtrd_arg), factor);
	CHECK_INT(DTRACE_LLQUANTIZE_LOW(record(&r, 0)->dtrd_arg), lmag);
	CHECK_INT(DTRACE_LLQUANTIZE_HIGH(record(&r, 0)->dtrd_arg), hmag);
	CHECK_INT(DTRACE_LLQUANTIZE_NSTEP(record(&r, 0)->dtrd_arg), steps);
	classic_records_free(&r);
	/* what is not above the low end is in the first bucket */
	for (uint32_t i = 0; i <= 2 * half; i++) {
		agg_bucket_bounds(AGG_llquantize, &p, i, &low, &high);
		if (low <= high)
			CHECK_INT(place(&a, low, high, 1), i > half ? i - half : 0);
	}
}

static void test_words(void)
{
	struct dtrace_aggregation a = {.function = DTRACE_STDDEV};
	struct dtrace_agg_value v = {.aggregation = &a, .words = {2, 30, 500, 1}};
	struct records r = {0};

	classic_records_agg_value(&r, &v);
	CHECK_INT(record(&r, 0)->dtrd_action, DTRACEAGG_STDDEV);
	CHECK_INT(record(&r, 0)->dtrd_size, 32);
	CHECK(!memcmp(data(&r, 0), v.words, 32));
	classic_records_reset(&r);
	a.function = DTRACE_AVG;
	classic_records_agg_value(&r, &v);
	CHECK_INT(record(&r, 0)->dtrd_size, 16);
	CHECK(!memcmp(data(&r, 0), v.words, 16));
	classic_records_reset(&r);
	a.function = DTRACE_MAX;
	classic_records_agg_value(&r, &v);
	CHECK_INT(record(&r, 0)->dtrd_action, DTRACEAGG_MAX);
	CHECK_INT(record(&r, 0)->dtrd_size, 8);
	classic_records_free(&r);
}

int main(void)
{
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, DTRACE_O_NODEV, NULL);

	CHECK(h);
	if (!h)
		return test_done();
	test_open();
	test_options(h);
	test_compile(h);
	test_file(h);
	test_probes(h);
	test_order(h);
	dtrace_close(h);
	test_values();
	test_symbols();
	test_quantize();
	test_lquantize(0, 100, 10);
	test_lquantize(-7, 8, 4);
	test_llquantize(10, 0, 6, 20);
	test_llquantize(2, 0, 30, 2);
	test_llquantize(10, 1, 2, 5);
	test_llquantize(10, 2, 4, 100);
	test_words();
	return test_done();
}
