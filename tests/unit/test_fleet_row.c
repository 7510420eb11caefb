// SPDX-License-Identifier: Apache-2.0
/* A row of a fleet's table is its columns in order, each by its name; a forgotten one is a defect.
 */
#include "test.h"

#include "base/buf.h"
#include "breaks.h"
#include "fleet/row.h"

static struct buf b;

static void put_frame(struct fleet_row *r)
{
	fleet_unsigned(r, FLEET_FRAMES_frame, UINT64_MAX);
	fleet_text(r, FLEET_FRAMES_text, "a\tb'c\n", 6);
	fleet_text(r, FLEET_FRAMES_host, "", 0);
	fleet_unsigned(r, FLEET_FRAMES_ts, 7);
}

static void test_row(void)
{
	struct fleet_row r = fleet_row(&b, FLEET_FRAMES);

	put_frame(&r);
	fleet_unsigned(&r, FLEET_FRAMES_seq, 0);
	fleet_row_end(&r);
	CHECK_STR(b.data, "18446744073709551615\ta\\tb\\'c\\n\t\t7\t0\n");
	b.len = 0;
}

static void test_parts(void)
{
	struct fleet_row r = fleet_row(&b, FLEET_STACKS);
	struct buf list = {0};

	fleet_unsigned(&r, FLEET_STACKS_stack, 1);
	r = fleet_row_from(&b, FLEET_STACKS, FLEET_STACKS_frames);
	fleet_put_element(&list, "x", 1);
	fleet_put_element(&list, "'", 1);
	fleet_array(&r, FLEET_STACKS_frames, list.data, list.len);
	CHECK_STR(b.data, "1\t['x','\\'']");
	b.len = 0;
	buf_free(&list);
	r = fleet_row_from(&b, FLEET_NUMBERS, FLEET_NUMBERS_value);
	fleet_signed(&r, FLEET_NUMBERS_value, INT64_MIN);
	fleet_real(&r, FLEET_NUMBERS_squares, 0.1);
	fleet_row_end(&r);
	CHECK_STR(b.data, "\t-9223372036854775808\t0.10000000000000001\n");
	b.len = 0;
	r = fleet_row_from(&b, FLEET_STACKS, FLEET_STACKS_frames);
	fleet_array(&r, FLEET_STACKS_frames, "", 0);
	CHECK_STR(b.data, "\t[]");
	b.len = 0;
}

/* The last column is missing. */
static void end_early(void *arg)
{
	struct fleet_row r = fleet_row(&b, FLEET_FRAMES);

	put_frame(&r);
	fleet_row_end(&r);
}

static void pass_over(void *arg)
{
	struct fleet_row r = fleet_row(&b, FLEET_FRAMES);

	fleet_text(&r, FLEET_FRAMES_text, "", 0);
}

/* A column of another table. */
static void mistake(void *arg)
{
	struct fleet_row r = fleet_row(&b, FLEET_FRAMES);

	fleet_unsigned(&r, FLEET_STACKS_stack, 1);
}

int main(void)
{
	test_row();
	test_parts();
	CHECK(breaks("fleet/row.c", end_early, NULL));
	CHECK(breaks("fleet/row.c", pass_over, NULL));
	CHECK(breaks("fleet/row.c", mistake, NULL));
	buf_free(&b);
	return test_done();
}
