// SPDX-License-Identifier: Apache-2.0
/* Tests the page of a fleet: what it may ask, which questions that takes, and the documents. */
#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "base/buf.h"
#include "fleet/ask.h"
#include "fleet/request.h"
#include "fleet/rows.h"
#include "fleet/job.h"
#include "fleet/documents.h"
#include "test.h"

/* ---- requests ---- */

/* Parses TEXT, whose names and values end with '|'. */
static int parse(struct request *r, const char *text, const char **problem)
{
	char copy[4096];
	size_t len = strlen(text);

	memcpy(copy, text, len);
	for (size_t i = 0; i < len; i++)
		copy[i] = copy[i] == '|' ? '\0' : copy[i];
	return request_parse(r, copy, len, problem);
}

static void check_refused(const char *text, const char *want)
{
	const char *problem = NULL;
	struct request r;

	CHECK_INT(parse(&r, text, &problem), -EINVAL);
	CHECK_STR(problem, want);
	request_fini(&r);
}

#define NAMES "prog|p|agg|a|from|100|to|200|"

static void test_request(void)
{
	const char *problem;
	struct request r;

	CHECK_INT(parse(&r,
			  "what|flame|table|numbers|prog|'); DROP TABLE numbers; "
			  "--|agg||from|4294967000|to|"
			  "4294967295|low|-9223372036854775808|high|-1|through|lat|only|0:web1|"
			  "without|4:a:b|old_only|0:web2|old_from|1|old_to|2|rows|10m|by|4|",
			  &problem),
		0);
	CHECK_INT(r.what, REQUEST_FLAME);
	CHECK(r.numbers && r.has_old);
	CHECK_STR(r.prog, "'); DROP TABLE numbers; --");
	CHECK_STR(r.agg, "");
	CHECK_STR(r.through, "lat");
	CHECK_INT(r.now.to, 4294967295);
	CHECK_INT(r.low, INT64_MIN);
	CHECK_INT(r.high, -1);
	CHECK_INT(r.rows, ROWS_10M);
	CHECK_INT(r.by, 4);
	CHECK_INT(r.now.filters.len, 2);
	CHECK(r.now.filters.data[0].keep && !r.now.filters.data[1].keep);
	CHECK_INT(r.now.filters.data[1].part, 4);
	CHECK_STR(r.now.filters.data[1].text, "a:b");
	CHECK_INT(r.old.filters.len, 1);
	request_fini(&r);
	/* the characters for bytes that are no UTF-8 become these bytes */
	CHECK_INT(parse(&r,
			  "what|heat|by|none|rows|auto|" NAMES
			  "only|1:\xee\xbe\x80\xee\xbf\xbf\xee\xbc\x80|",
			  &problem),
		0);
	CHECK_STR(r.now.filters.data[0].text, "\x80\xff\xee\xbc\x80");
	CHECK_INT(r.by, REQUEST_NONE);
	CHECK(!r.partial && !r.numbers);
	request_fini(&r);
	CHECK_INT(parse(&r, "what|cells|shards|up|table|numbers|" NAMES, &problem), 0);
	CHECK(r.partial && r.numbers);
	request_fini(&r);
	CHECK_INT(parse(&r, "what|list|shards|up|shards|all|", &problem), 0);
	CHECK(!r.partial);
	request_fini(&r);
}

static void test_refused(void)
{
	static const char unknown[] = "the page asks for something that dtrace does not know";
	struct request r;
	const char *problem;
	char many[8192] = "what|heat|" NAMES;

	check_refused("what|drop|", unknown);
	check_refused("what|list|what|", unknown);
	check_refused("what|list|sql|SELECT 1|", unknown);
	check_refused("what|heat|" NAMES "from|1.5|", unknown);
	check_refused("what|heat|" NAMES "from| 1|", unknown);
	check_refused("what|heat|" NAMES "from|-1|", unknown);
	check_refused("what|heat|" NAMES "to|4294967296|", unknown);
	check_refused("what|heat|" NAMES "low|9223372036854775808|", unknown);
	check_refused("what|heat|" NAMES "by|5|", unknown);
	check_refused("what|heat|" NAMES "by||", unknown);
	check_refused("what|heat|" NAMES "rows|2m|", unknown);
	check_refused("what|heat|" NAMES "shards|some|", unknown);
	check_refused("what|heat|" NAMES "table||", unknown);
	check_refused("what|heat|" NAMES "only|5:x|", unknown);
	check_refused("what|heat|" NAMES "only|x|", unknown);
	check_refused("what|heat|prog|p|from|1|to|2|", "no program or aggregation is named");
	check_refused("what|heat|" NAMES "table|numbers|", "only distributions have a heat map");
	check_refused("what|heat|" NAMES "to|100|", "the time begins after its end");
	check_refused("what|heat|" NAMES "to|200000000|", "the time is longer than a year");
	check_refused("what|heat|" NAMES "old_from|7|", "the time begins after its end");
	check_refused(
		"what|heat|" NAMES "low|2|high|1|", "the least value is larger than the largest");
	for (size_t i = 0, at = strlen(many); i < 301; i++)
		at += (size_t)snprintf(many + at, sizeof(many) - at, "only|0:h%zu|", i % 10);
	for (size_t i = strlen(many); i--;)
		many[i] = many[i] == '|' ? '\0' : many[i];
	CHECK_INT(
		request_parse(&r, many, strlen("what|heat|" NAMES) + 301 * 10, &problem), -EINVAL);
	request_fini(&r);
	/* the last value has no end */
	CHECK_INT(request_parse(&r, "what", 5, &problem), -EINVAL);
	request_fini(&r);
}

/* ---- rows ---- */

static void test_rows(void)
{
	char text[] = "a\\tb\\n\\\\\\0\\'\t-5\t\n\n1\t2\t3\t4\t5\t6\t7\t8\t9\nlast";
	char *at = text, *end = text + sizeof(text) - 1;
	struct rows_row row;

	CHECK(rows_next(&at, end, &row));
	CHECK_INT(row.n, 3);
	CHECK_INT(row.len[0], 7);
	CHECK(!memcmp(row.text[0], "a\tb\n\\\0'", 7));
	CHECK_INT(rows_signed(&row, 1), -5);
	CHECK_STR(row.text[2], "");
	CHECK_INT(rows_unsigned(&row, 3), 0);
	CHECK(rows_next(&at, end, &row));
	CHECK_INT(row.n, 1);
	CHECK(rows_next(&at, end, &row));
	CHECK_INT(row.n, ROWS_COLUMNS);
	CHECK(rows_next(&at, end, &row));
	CHECK_STR(row.text[0], "last");
	CHECK(!rows_next(&at, end, &row));
}

/* ---- jobs ---- */

static void begin(struct fleet_job *j, const char *text)
{
	const char *problem = NULL;
	char copy[1024];
	size_t len = (size_t)snprintf(copy, sizeof(copy), "%s", text);

	for (size_t i = 0; i < len; i++)
		copy[i] = copy[i] == '|' ? '\0' : copy[i];
	CHECK_INT(fleet_job_begin(j, copy, len, &problem), 0);
}

/* The next question is QUESTION, and its answer is ROWS. */
static struct ask answer(
	struct fleet_job *j, enum ask_question question, const char *rows, struct buf *out)
{
	struct ask a = {0};

	CHECK(fleet_job_next(j, &a));
	CHECK_INT(a.question, question);
	CHECK_INT(fleet_job_take(j, rows, strlen(rows), out), 0);
	return a;
}

static void end(struct fleet_job *j, struct buf *out, const char *want)
{
	struct ask a;

	CHECK(!fleet_job_next(j, &a));
	if (want)
		CHECK_STR(out->data, want);
	buf_free(out);
	*out = (struct buf){0};
	fleet_job_fini(j);
}

static void test_list(void)
{
	struct buf out = {0};
	struct fleet_job j;

	begin(&j, "what|list|");
	answer(&j, ASK_LIST, "<p>\t'); --\tquantize\t2\t0\tstring, int\t3\t77\n", &out);
	end(&j, &out,
		"{\"aggregations\":[{\"prog\":\"\\u003cp\\u003e\",\"agg\":\"'); --\","
		"\"function\":\"quantize\",\"keys\":2,\"stack\":0,\"types\":\"string, int\","
		"\"hosts\":3,\"last\":77}]}");
	begin(&j, "what|list|");
	answer(&j, ASK_LIST, "", &out);
	end(&j, &out, "{\"aggregations\":[]}");
}

/* Two groups and all others; a negative count is no cell. */
static void test_heat(void)
{
	struct buf out = {0};
	struct fleet_job j;
	struct ask a;

	begin(&j, "what|heat|by|1|prog|p|agg|a|from|1000|to|1010|rows|raw|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t5\t2\n1\t0\t0\n2\t9\t2\n3\t9\t2\n", &out);
	a = answer(&j, ASK_TOP, "b\\tb\t9\n<a>\t5\n", &out);
	CHECK_INT(a.part, 1);
	a = answer(&j, ASK_HEAT_BY,
		"1000\t8\t15\t4\t1\tb\\tb\n1000\t16\t31\t1\t0\t\n1002\t8\t15\t7\t1\t<a>\n"
		"1002\t16\t31\t-3\t1\tb\\tb\n",
		&out);
	CHECK_INT(a.width, 1);
	CHECK_INT(a.list_len, strlen("b\\tb\n<a>\n"));
	CHECK(out.data &&
		strstr(out.data,
			"{\"rows\":\"raw\",\"width\":1,\"values\":[\"b\\u0009b\","
			"\"\\u003ca\\u003e\"],\"heatmaps\":[{"));
	CHECK(out.data && strstr(out.data, "\"negative\":1,\"start\":\"1000000000000\""));
	CHECK(out.data && strstr(out.data, "\"rows\":[[\"8\",\"15\"],[\"16\",\"31\"]]"));
	/* columns 0 and 2: cells (row, series, count) */
	CHECK(out.data && strstr(out.data, "\"cells\":\"ACABEBABCBACH\""));
	CHECK(out.data && strstr(out.data, "\"keys\":[[\"0\"],[\"1\"],[\"2\"]]"));
	end(&j, &out, NULL);
	begin(&j, "what|heat|prog|p|agg|a|from|1000|to|1010|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t0\t0\n1\t0\t0\n2\t0\t0\n3\t0\t0\n", &out);
	end(&j, &out, "{\"empty\":true}");
}

/* Columns are wide enough for 100,000 cells, and wider if that was not enough. */
static void test_width(void)
{
	struct buf out = {0}, many = {0};
	struct fleet_job j;
	struct ask a;

	begin(&j, "what|heat|by|0|prog|p|agg|a|from|0|to|86400|rows|1m|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "2\t1000\t100\t60000\n", &out);
	answer(&j, ASK_TOP, "h\t1\n", &out);
	for (unsigned i = 0; i < 100001; i++)
		buf_puts(&many, "0\t8\t15\t1\t1\th\n");
	a = answer(&j, ASK_HEAT_BY, many.data, &out);
	/* 7 groups of 100 buckets: 142 columns */
	CHECK_INT(a.width, 900);
	CHECK_INT(out.len, 0);
	a = answer(&j, ASK_HEAT_BY, "0\t8\t15\t1\t1\th\n", &out);
	CHECK_INT(a.width, 1200);
	CHECK(out.data && strstr(out.data, "\"width\":1200"));
	end(&j, &out, NULL);
	buf_free(&many);
	/* as wide as an interval */
	begin(&j, "what|heat|prog|p|agg|a|from|0|to|60|rows|raw|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t10\t2\t5003\n", &out);
	a = answer(&j, ASK_HEAT, "1\t8\t15\t1\n", &out);
	CHECK_INT(a.width, 5);
	end(&j, &out, NULL);
	begin(&j, "what|heat|prog|p|agg|a|from|0|to|60|rows|raw|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t10\t2\t7000\n", &out);
	a = answer(&j, ASK_HEAT, "1\t8\t15\t1\n", &out);
	CHECK_INT(a.width, 7);
	end(&j, &out, NULL);
}

static enum ask_rows chosen(const char *request, const char *sizes)
{
	struct buf out = {0};
	struct fleet_job j;
	struct ask a;

	begin(&j, request);
	answer(&j, ASK_SIZES_DISTRIBUTIONS, sizes, &out);
	CHECK(fleet_job_next(&j, &a));
	fleet_job_fini(&j);
	buf_free(&out);
	return a.rows;
}

static void test_choice(void)
{
	static const char all[] = "0\t50\t1\n1\t40\t1\n2\t30\t1\n3\t20\t1\n";
	static const char huge[] = "0\t2000001\t1\n1\t40\t1\n2\t2000001\t1\n3\t20\t1\n";
	static const char no_sums[] = "0\t2000001\t1\n1\t0\t0\n2\t0\t0\n3\t0\t0\n";
	long now = time(NULL);
	char fresh[128], old[128], hosts[192];

	snprintf(fresh, sizeof(fresh), "what|heat|prog|p|agg|a|from|%ld|to|%ld|", now - 600, now);
	snprintf(old, sizeof(old), "what|heat|prog|p|agg|a|from|%ld|to|%ld|", now - 604800, now);
	snprintf(hosts, sizeof(hosts), "%sby|0|", fresh);
	CHECK_INT(chosen(fresh, all), ROWS_RAW);
	CHECK_INT(chosen(old, all), ROWS_1M);
	CHECK_INT(chosen(fresh, huge), ROWS_1S);
	CHECK_INT(chosen(hosts, huge), ROWS_10M);
	CHECK_INT(chosen(old, no_sums), ROWS_RAW);
}

static void test_cells(void)
{
	struct buf out = {0};
	struct fleet_job j;
	struct ask a;

	begin(&j, "what|cells|" NAMES "low|8|high|15|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t5\t2\n", &out);
	a = answer(&j, ASK_CELLS, "1\tweb1\t7\n1\tweb2\t1\n3\t<b>\t8\n", &out);
	CHECK(a.region);
	end(&j, &out,
		"{\"rows\":\"raw\",\"parts\":[[[\"web1\",7],[\"web2\",1]],[],[[\"\\u003cb\\u003e\","
		"8]"
		"]]}");
}

/* Stacks of hosts that have values in cells of another aggregation, and of an older time. */
static void test_flame(void)
{
	struct buf out = {0};
	struct fleet_job j;
	struct ask a;

	begin(&j,
		"what|flame|" NAMES
		"table|numbers|through|lat|low|8|old_from|1|old_to|2|only|1:k|only|0:web1|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t5\t2\n", &out);
	a = answer(&j, ASK_HOSTS, "web1\n", &out);
	CHECK(a.region && !a.numbers && !a.any_key);
	CHECK_STR(a.agg, "lat");
	answer(&j, ASK_SIZES_NUMBERS, "0\t5\t1\n", &out);
	a = answer(&j, ASK_STACKS_OF_HOSTS, "10\t5\n11\t3\n12\t-1\n14\t1\n", &out);
	CHECK(!a.region && a.numbers && a.any_key);
	CHECK_STR(a.agg, "a");
	CHECK(a.list_len == 5 && !memcmp(a.list, "web1\n", 5));
	answer(&j, ASK_SIZES_NUMBERS, "0\t5\t1\n", &out);
	a = answer(&j, ASK_STACKS_OF_HOSTS, "10\t2\n13\t4\n", &out);
	CHECK_INT(a.side->to, 2);
	a = answer(&j, ASK_FRAMES, "10\t1,2\n13\t3,2\n14\t\n", &out);
	CHECK(!a.side && a.list_len == 12 && !memcmp(a.list, "10\n11\n14\n13\n", 12));
	answer(&j, ASK_TEXTS, "1\tlibc.so.6`<read>\n2\tvmlinux`main\n", &out);
	CHECK(out.data && strstr(out.data, "\"stacks\":4,\"cut\":false,"));
	CHECK(out.data && strstr(out.data, "\"\\u003cread\\u003e\""));
	CHECK(out.data && strstr(out.data, "\"[stack without frames]\""));
	CHECK(out.data && strstr(out.data, "\"[frame without a row]\""));
	CHECK(out.data && strstr(out.data, "\"[no stack]\""));
	CHECK(out.data &&
		strstr(out.data,
			"\"values\":[\"count\",\"old count\"],\"about\":false,"
			"\"negative\":1,"));
	end(&j, &out, NULL);
	/* other hosts are not those of the cells */
	begin(&j,
		"what|flame|" NAMES
		"table|numbers|through|lat|old_from|1|old_to|2|old_without|0:web1|");
	answer(&j, ASK_SIZES_DISTRIBUTIONS, "0\t5\t2\n", &out);
	answer(&j, ASK_HOSTS, "web1\n", &out);
	answer(&j, ASK_SIZES_NUMBERS, "", &out);
	answer(&j, ASK_SIZES_NUMBERS, "0\t5\t1\n", &out);
	answer(&j, ASK_STACKS, "", &out);
	answer(&j, ASK_FRAMES, "", &out);
	answer(&j, ASK_TEXTS, "", &out);
	end(&j, &out, "{\"empty\":true}");
}

int main(void)
{
	test_request();
	test_refused();
	test_rows();
	test_list();
	test_heat();
	test_width();
	test_choice();
	test_cells();
	test_flame();
	return test_done();
}
