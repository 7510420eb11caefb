// SPDX-License-Identifier: Apache-2.0
/* Tests dtrace_limit_set(): names, values, what is refused, and the table's order. */
#include "session/limits.h"

#include <dtrace/dtrace.h>
#include <errno.h>

#include "session/session.h"
#include "test.h"

/* Returns the result of setting NAME to VALUE in a session of its own, and *OUT what it has then.
 */
static int set(const char *name, const char *value, enum limit_id id, struct load_bound *out)
{
	struct dtrace *d = dtrace_session_open();
	int err = dtrace_limit_set(d, name, value, "conf:7");

	CHECK((err != 0) == (dtrace_session_error(d)[0] != '\0'));
	*out = limits_bound(&d->limits, id);
	CHECK(out->by ? !err && !strcmp(out->by, "conf:7") : err);
	out->by = NULL;
	dtrace_session_close(d);
	return err;
}

static void test_values(void)
{
	struct load_bound b;

	CHECK_INT(set("probes", "100", LIMIT_probes, &b), 0);
	CHECK_INT(b.most, 100);
	CHECK_INT(set("probes", "010", LIMIT_probes, &b), 0);
	CHECK_INT(b.most, 10);
	CHECK_INT(set("memory", "64m", LIMIT_memory, &b), 0);
	CHECK_INT(b.most, 64 << 20);
	CHECK_INT(set("destructive", "yes", LIMIT_destructive, &b), 0);
	CHECK_INT(b.most, 1);
	CHECK_INT(set("destructive", "no", LIMIT_destructive, &b), 0);
	CHECK_INT(b.most, 0);
	CHECK_INT(set("overhead", "5%", LIMIT_overhead, &b), 0);
	CHECK_INT(b.most, 5);
	CHECK_INT(set("overhead", "100", LIMIT_overhead, &b), 0);
	CHECK_INT(set("overhead", "0", LIMIT_overhead, &b), -EINVAL);
	CHECK_INT(set("overhead", "101%", LIMIT_overhead, &b), -EINVAL);
	CHECK_INT(set("overhead", "5%%", LIMIT_overhead, &b), -EINVAL);
	CHECK_INT(set("overhead", "-1", LIMIT_overhead, &b), -EINVAL);
	CHECK_INT(set("rate", "1000", LIMIT_rate, &b), 0);
	CHECK_INT(b.most, 1000);
	CHECK_INT(set("providers", " pid\tusdt ", LIMIT_providers, &b), 0);
	CHECK_INT(set("probes", "", LIMIT_probes, &b), -EINVAL);
	CHECK_INT(set("probes", "ten", LIMIT_probes, &b), -EINVAL);
	CHECK_INT(set("memory", "-1", LIMIT_memory, &b), -EINVAL);
	CHECK_INT(set("destructive", "0", LIMIT_destructive, &b), -EINVAL);
	CHECK_INT(set("providers", "pid123", LIMIT_providers, &b), -EINVAL);
	CHECK_INT(set("nosuch", "1", LIMIT_probes, &b), -ENOENT);
}

static void test_session(void)
{
	struct dtrace *d = dtrace_session_open();

	CHECK_INT(dtrace_limit_set(d, "providers", "pid usdt", "conf:1"), 0);
	CHECK_STR(d->settings.providers->names[0], "pid");
	CHECK_STR(d->settings.providers->names[1], "usdt");
	CHECK(!d->settings.providers->names[2]);
	CHECK_INT(dtrace_limit_set(d, "providers", "pid", "conf:2"), -EEXIST);
	CHECK_STR(dtrace_session_error(d), "limit providers is set already, by conf:1");
	CHECK_INT(dtrace_limit_set(d, "probs", "1", "conf:3"), -ENOENT);
	CHECK_STR(dtrace_session_hint(d), "did you mean 'probes'?");
	CHECK_INT(session_prepare(d), 0);
	CHECK_INT(dtrace_limit_set(d, "probes", "1", "conf:4"), -EBUSY);
	dtrace_session_close(d);
}

static void test_order(void)
{
	static const char *const names[] = {
#define LIMIT(name, ...) #name,
#include "session/limits.def"
	};

	for (size_t i = 1; i < LIMIT_COUNT; i++)
		CHECK(strcmp(names[i - 1], names[i]) < 0);
}

int main(void)
{
	test_values();
	test_session();
	test_order();
	return test_done();
}
