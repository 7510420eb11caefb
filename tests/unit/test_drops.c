// SPDX-License-Identifier: Apache-2.0
/*
 * consume/drops over a real map: increases, wording, tags.  Needs root.
 *
 * @ref d-errors 5
 * @ref output 13 increments plural droptags
 */
#include "test.h"

#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "consume/drops.h"

static char seen[1024];

static int put(void *arg, const struct drop *drop)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s|", drop->text);
	return 0;
}

static const char *report(struct drops *d, bool tags)
{
	seen[0] = 0;
	CHECK_INT(drops_report(d, tags, put, NULL), 0);
	return seen;
}

static void set(int fd, uint32_t cause, uint64_t on_first, uint64_t on_last)
{
	int ncpus = libbpf_num_possible_cpus();
	uint64_t *values = calloc((size_t)ncpus, sizeof(*values));

	values[0] = on_first;
	values[ncpus - 1] = on_last;
	CHECK_INT(bpf_map_update_elem(fd, &cause, values, BPF_ANY), 0);
	free(values);
}

int main(void)
{
	struct drops *d = drops_new(-1);
	int last = libbpf_num_possible_cpus() - 1;
	char want[512];
	int fd;

	CHECK_STR(report(d, false), "");
	drops_free(d);
	drops_free(NULL);
	fd = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, DT_MAP_DROPS, 4, 8, DT_DROP_MAX, NULL);
	if (fd < 0)
		return test_failed ? test_done() : (test_skip("cannot create BPF maps"), 1);
	d = drops_new(fd);
	CHECK(d != NULL);
	CHECK_STR(report(d, false), "");

	set(fd, DT_DROP_PRINCIPAL, 1, 0);
	CHECK_STR(report(d, false), "1 drop on CPU 0|");
	CHECK_STR(report(d, false), "");
	set(fd, DT_DROP_PRINCIPAL, 3, 0);
	set(fd, DT_DROP_NESTED, 5, 0);
	CHECK_STR(report(d, false), "7 drops on CPU 0|");
	set(fd, DT_DROP_NESTED, 6, 0);
	CHECK_STR(report(d, true), "[DTRACEDROP_PRINCIPAL] 1 drop on CPU 0|");
	if (last > 0) {
		set(fd, DT_DROP_AGGREGATION, 1, 2);
		set(fd, DT_DROP_DYNAMIC, 1, 2);
		set(fd, DT_DROP_DBLERROR, 1, 0);
		snprintf(want, sizeof(want),
			"1 aggregation drop on CPU 0|2 aggregation drops on CPU %d|"
			"3 dynamic variable drops|1 error in ERROR probe enabling|",
			last);
		CHECK_STR(report(d, false), want);
		set(fd, DT_DROP_DYNAMIC, 2, 2);
		set(fd, DT_DROP_DBLERROR, 2, 1);
		CHECK_STR(report(d, true),
			"[DTRACEDROP_DYNAMIC] 1 dynamic variable drop|"
			"[DTRACEDROP_DBLERROR] 2 errors in ERROR probe enabling|");
		set(fd, DT_DROP_SPECUNAVAIL, 0, 1);
		drops_set(d, DT_DROP_SPEC, 1);
		CHECK_STR(report(d, true),
			"[DTRACEDROP_SPEC] 1 speculative drop|"
			"[DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer "
			"available)|");
		set(fd, DT_DROP_AGGREGATION, 1, 3);
		snprintf(want, sizeof(want),
			"[DTRACEDROP_AGGREGATION] 1 aggregation drop on CPU %d|", last);
		CHECK_STR(report(d, true), want);
	}
	drops_free(d);
	close(fd);
	return test_done();
}
