// SPDX-License-Identifier: Apache-2.0
/* The table of the aggregating functions, against the numbers that are published. */
#include <dtrace.h>
#include <dtrace/data.h>

#include "test.h"

#include "abi/aggregation.h"
#include "abi/kernel.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/sema.h"

static void published(enum agg_func func, enum dtrace_function number, uint32_t classic)
{
	CHECK_INT(agg_info(func)->public_id, number);
	CHECK_INT(agg_info(func)->classic_id, classic);
}

static void test_numbers(void)
{
	published(AGG_count, DTRACE_COUNT, DTRACEAGG_COUNT);
	published(AGG_sum, DTRACE_SUM, DTRACEAGG_SUM);
	published(AGG_min, DTRACE_MIN, DTRACEAGG_MIN);
	published(AGG_max, DTRACE_MAX, DTRACEAGG_MAX);
	published(AGG_avg, DTRACE_AVG, DTRACEAGG_AVG);
	published(AGG_stddev, DTRACE_STDDEV, DTRACEAGG_STDDEV);
	published(AGG_quantize, DTRACE_QUANTIZE, DTRACEAGG_QUANTIZE);
	published(AGG_lquantize, DTRACE_LQUANTIZE, DTRACEAGG_LQUANTIZE);
	published(AGG_llquantize, DTRACE_LLQUANTIZE, DTRACEAGG_LLQUANTIZE);
	CHECK(!agg_public(UINT32_MAX));
}

/* No two rows have the same numbers, and a row's number leads back to it. */
static void test_rows(void)
{
	for (enum agg_func i = 0; i < AGG_FUNCS; i++) {
		const struct agg_info *info = agg_info(i);
		const struct function *f = function_find(info->name);

		CHECK_INT(info->func, i);
		CHECK(agg_public(info->public_id) == info);
		CHECK(f && f->klass == CLASS_AGG && function_agg(f) == i);
		CHECK(info->words && info->words <= AGG_WORDS_MAX);
		CHECK(info->unkeyed >= info->words && info->unkeyed <= AGG_WORDS_MAX);
		CHECK_INT(info->increment != 0, info->kind == AGG_DISTRIBUTION);
		CHECK_INT(info->result == AGG_BUCKETS, info->kind == AGG_DISTRIBUTION);
		for (enum agg_func k = 0; k < i; k++)
			CHECK(agg_info(k)->classic_id != info->classic_id);
	}
	CHECK_INT(function_agg(function_find("trace")), AGG_FUNCS);
}

/* The layouts that programs write are as large as the table says. */
static void test_sizes(void)
{
	CHECK_INT(agg_value_size(AGG_sum, true), 8);
	CHECK_INT(agg_value_size(AGG_sum, false), sizeof(struct dt_agg_sum));
	CHECK_INT(agg_value_size(AGG_avg, true), sizeof(struct dt_agg_avg));
	CHECK_INT(agg_value_size(AGG_stddev, true), sizeof(struct dt_agg_stddev));
	CHECK_INT(agg_value_size(AGG_min, true), sizeof(struct dt_agg_kept));
	CHECK_INT(agg_value_size(AGG_max, false), sizeof(struct dt_agg_kept));
}

int main(void)
{
	test_numbers();
	test_rows();
	test_sizes();
	return test_done();
}
