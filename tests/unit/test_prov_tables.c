// SPDX-License-Identifier: Apache-2.0
/*
 * test_prov_tables: the providers that are tables of hooks, over a made-up kernel, and cpc.
 *
 * @ref providers 8
 * @ref providers 12
 * @ref providers 13
 * @ref providers 14
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "made_up.h"
#include "test.h"

static struct btf *made_up_btf(void)
{
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED);

	add_hook(b, "btf_trace_block_bio_queue", 1, 0);
	add_hook(b, "btf_trace_block_rq_complete", 3, 0);
	add_hook(b, "btf_trace_block_bio_complete", 2, 0);
	add_hook(b, "btf_trace_contention_begin", 2, 0);
	add_hook(b, "btf_trace_contention_end", 2, 0);
	add_hook(b, "btf_trace_page_fault_user", 3, 0);
	add_hook(b, "btf_trace_sched_switch", 4, 0);
	add_hook(b, "mutex_lock", 1, 0);
	add_hook(b, "mutex_trylock", 1, i);
	add_hook(b, "submit_bio_wait", 1, i);
	return b;
}

/* ---- io, lockstat, vminfo, sysinfo ---- */

static void test_listing(struct kernel *k)
{
	struct session s = session_new(k);

	CHECK_INT(match(&s, "io", ""), 2);
	CHECK_STR(seen, "3700:start 3701:done");
	CHECK_INT(match(&s, "lockstat", ""), 6);
	CHECK_STR(seen,
		"3801:adaptive-acquire-error 3802:adaptive-block 3804:adaptive-spin "
		"3805:rw-block 3806:rw-spin 3807:spin-spin");
	CHECK_INT(match(&s, "vminfo", ""), 2);
	CHECK_STR(seen, "3900:as_fault 3911:prot_fault");
	CHECK_INT(match(&s, "sysinfo", "*sw*tch"), 2);
	CHECK_STR(seen, "4007:inv_swtch 4016:pswitch");
	arena_free(s.a);

	/* where functions can be traced and events counted there are more */
	k->features =
		1ull << FEATURE_FENTRY | 1ull << FEATURE_FEXIT | 1ull << FEATURE_SOFTWARE_EVENTS;
	s = session_new(k);
	CHECK_INT(match(&s, "io", "wait-*"), 2);
	CHECK_STR(seen, "3702:wait-start 3703:wait-done");
	CHECK_INT(match(&s, "lockstat", "adaptive-acquire"), 1);
	CHECK_INT(match(&s, "lockstat", "adaptive-release"), 0); /* there is no mutex_unlock() */
	CHECK_INT(match(&s, "vminfo", "maj_fault"), 1);
	arena_free(s.a);
	k->features = 0;
}

/* A probe that only keeps state is found by its name alone, also after it was found once. */
static void test_hidden(struct kernel *k)
{
	struct session s = session_new(k);

	CHECK_INT(match(&s, "lockstat", "-begin"), 1);
	CHECK_INT(match(&s, "lockstat", "*begin"), 0);
	CHECK_INT(match(&s, "lockstat", ""), 6);
	arena_free(s.a);
}

static void test_plans(struct kernel *k)
{
	struct session s = session_new(k);
	struct attach_plan p;

	CHECK_INT(match(&s, "io", "done"), 1);
	CHECK_INT(plan(&s, last, 0, &p), 0);
	/* for each bio of the request: its arguments are what the clauses are called with */
	CHECK_INT(p.kind, ATTACH_RAW_TP);
	CHECK_STR(p.hook, "block_rq_complete");
	CHECK(p.from && p.from->state);
	CHECK_STR(p.from->each, "dt_each_bio");
	CHECK_INT(p.from->hook.nargs, 3);
	CHECK_INT(p.from->hook.raw[2].where, WHERE_ITEM);
	CHECK_INT(p.from->hook.raw[2].offset, 2);
	CHECK_INT(plan(&s, last, 1, &p), 0);
	CHECK_STR(p.hook, "block_bio_complete");
	CHECK_INT(p.kind, ATTACH_TP_BTF);
	CHECK(p.from && p.from->state);
	CHECK_INT(plan(&s, last, 2, &p), -ENOENT);
	CHECK_INT(match(&s, "lockstat", "adaptive-block"), 1);
	CHECK_INT(plan(&s, last, 0, &p), 0);
	CHECK_STR(p.hook, "contention_begin");
	CHECK_INT(plan(&s, last, 1, &p), 0);
	CHECK_STR(p.hook, "contention_end");
	CHECK(p.inner);
	arena_free(s.a);
}

static void test_missing(void)
{
	struct probe_pattern io = {"io", "", "", ""}, cpc = {"cpc", "", "", ""};
	struct btf *b = btf__new_empty();
	struct kernel none = {0};
	struct session s;

	none.data = btf__raw_data(b, &none.len);
	s = session_new(&none);
	CHECK_INT(match(&s, "io", ""), 0);
	CHECK_STR(registry_missing(s.r, &io), "the kernel has no tracepoint block_bio_queue");
	CHECK_INT(match(&s, "cpc", ""), 0);
	CHECK_STR(
		registry_missing(s.r, &cpc), "the kernel has no perf events (CONFIG_PERF_EVENTS)");
	arena_free(s.a);
	btf__free(b);
}

/* ---- cpc ---- */

static void counts(struct session *s, const char *name, uint32_t type, uint64_t config,
	uint64_t period, bool user, bool kernel)
{
	struct attach_plan p;

	CHECK_INT(match(s, "cpc", name), 1);
	if (!last)
		return;
	CHECK_INT(plan(s, last, 0, &p), 0);
	CHECK_INT(p.kind, ATTACH_EVENT);
	CHECK_INT(p.event_type, type);
	CHECK_INT(p.event_config, config);
	CHECK_INT(p.period, period);
	CHECK_INT(p.only_user, user);
	CHECK_INT(p.only_kernel, kernel);
	CHECK(p.all_cpus);
	CHECK_INT(plan(s, last, 1, &p), -ENOENT);
}

static void test_cpc(struct kernel *k)
{
	static const char *const bad[] = {
		"page_faults",
		"page_faults-all",
		"page_faults-all-",
		"page_faults-all-x",
		"page_faults-all-0",
		"page_faults-all-9223372036854775808",
		"page_faults-any-1",
		"page_faults-all-ff-1", /* the kernel's names have no attribute */
		"page_faults-all-1-",
		"cpu_clock-all-199999", /* too often */
		"instructions-all-9999",
		"r1c2-user-100-10000",
		"rxyz-user-10000",
		"no_such_event-all-10000",
	};
	struct probe_args args = {0};
	struct session s;

	k->features = 1ull << FEATURE_SOFTWARE_EVENTS;
	s = session_new(k);
	CHECK_INT(match(&s, "cpc", "page_faults*"), 1);
	CHECK_STR(seen, "4132:page_faults-all-1000000000");
	CHECK_INT(match(&s, "cpc", "instructions-all-10000"), 0);
	counts(&s, "page_faults-all-1", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1, false,
		false);
	CHECK_INT(last->provider->describe(registry_env(s.r), last, &args), 0);
	CHECK_INT(args.raw[0].where, WHERE_KERNEL_PC);
	CHECK_INT(args.raw[1].where, WHERE_USER_PC);
	arena_free(s.a);

	k->features |= 1ull << FEATURE_HARDWARE_EVENTS;
	s = session_new(k);
	CHECK_INT(match(&s, "cpc", "cpu_cycles*"), 1);
	CHECK_STR(seen, "4100:cpu_cycles-all-1000000000");
	counts(&s, "instructions-user-10000", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 10000,
		true, false);
	counts(&s, "cpu_clock-kernel-200000", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 200000,
		false, true);
	counts(&s, "LLC_load_misses-all-10000", PERF_TYPE_HW_CACHE,
		PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_RESULT_MISS << 16, 10000, false,
		false);
	counts(&s, "r1c2-all-10000", PERF_TYPE_RAW, 0x1c2, 10000, false, false);
	counts(&s, "rc2-all-0x7-10000", PERF_TYPE_RAW, 0x7c2, 10000, false, false);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(match(&s, "cpc", bad[i]), 0);
	arena_free(s.a);
	k->features = 0;
}

int main(void)
{
	struct btf *b = made_up_btf();
	struct kernel k = {0};

	k.data = btf__raw_data(b, &k.len);
	test_listing(&k);
	test_hidden(&k);
	test_plans(&k);
	test_missing();
	test_cpc(&k);
	btf__free(b);
	return test_done();
}
