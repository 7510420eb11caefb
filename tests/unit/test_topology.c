// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the D text that describes CPUs, from made trees of sysfs.
 * @ref d-builtins 1 curcpu
 */
#include "compile/topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"

static struct arena *a;
static char root[512];

static void put(const char *path, const char *text)
{
	const char *full = arena_printf(a, "%s/%s", root, path);
	char *dir = arena_strdup(a, full);
	FILE *f;

	for (char *p = strchr(dir + strlen(root), '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		CHECK(!mkdir(dir, 0700) || errno == EEXIST);
		*p = '/';
	}
	f = fopen(full, "w");
	CHECK(f != NULL);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/topology.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(root) != NULL);
}

static void check(const char *chip, const char *node)
{
	CHECK_STR(topology_text(a, root),
		arena_printf(a,
			"inline int _cpu_chip[int cpu] = %s;\n"
			"inline int _cpu_node[int cpu] = %s;\n",
			chip, node));
}

static void put_cpu(int cpu, const char *package, const char *members)
{
	put(arena_printf(a, "cpu/cpu%d/topology/physical_package_id", cpu), package);
	put(arena_printf(a, "cpu/cpu%d/topology/package_cpus_list", cpu), members);
}

static void test_nothing(void)
{
	begin();
	check("0", "0");
}

static void test_one(void)
{
	begin();
	put("cpu/possible", "0-3");
	for (int i = 0; i < 4; i++)
		put_cpu(i, "0", "0-3");
	put("node/has_cpu", "0");
	put("node/node0/cpulist", "0-3");
	check("0", "0");
}

/* Two packages of four CPUs; the second has two nodes, the last CPU is offline. */
static void test_two(void)
{
	begin();
	put("cpu/possible", "0-7");
	for (int i = 0; i < 7; i++)
		put_cpu(i, i < 4 ? "0" : "1", i < 4 ? "0-3" : "4-6");
	put("node/has_cpu", "0,2-3");
	put("node/node0/cpulist", "0-3");
	put("node/node2/cpulist", "4-5");
	put("node/node3/cpulist", "6");
	check("(cpu < 4 ? 0 : (cpu < 6 ? 1 : (cpu < 7 ? 1 : 0)))",
		"(cpu < 4 ? 0 : (cpu < 6 ? 2 : (cpu < 7 ? 3 : 0)))");
}

/* CPUs that take turns. */
static void test_interleaved(void)
{
	begin();
	put("cpu/possible", "0-3");
	for (int i = 0; i < 4; i++)
		put_cpu(i, i % 2 ? "7" : "3", i % 2 ? "1,3" : "0,2");
	check("(cpu < 2 ? (cpu < 1 ? 3 : 7) : (cpu < 3 ? 3 : 7))", "0");
}

static void test_nonsense(void)
{
	begin();
	put("cpu/possible", "0-99999999,x");
	put_cpu(0, "1", "0-,-5,7-2");
	put("node/has_cpu", "");
	check("(cpu < 4096 ? (cpu < 2048 ? (cpu < 1024 ? (cpu < 512 ? (cpu < 256 ? (cpu < 128 ? "
	      "(cpu < 64 ? (cpu < 32 ? (cpu < 16 ? (cpu < 8 ? (cpu < 4 ? (cpu < 2 ? (cpu < 1 ? "
	      "1 : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0) : 0)",
		"0");
}

static void test_devices(void)
{
	const char *file;

	begin();
	put("devices",
		"Character devices:\n  1 mem\n  7 vcs\n\nBlock devices:\n  7 loop\n"
		"253 device-mapper\n259 b\"k\\\n x\n-1 y\n");
	file = arena_printf(a, "%s/devices", root);
	CHECK_STR(topology_devices(a, file),
		"inline string _block_major[int major] = major == 7 ? \"loop\" : "
		"major == 253 ? \"device-mapper\" : major == 259 ? \"b\" : "
		"major == -1 ? \"y\" : \"<unknown>\";\n");
	CHECK_STR(topology_devices(a, arena_printf(a, "%s/none", root)),
		"inline string _block_major[int major] = \"<unknown>\";\n");
}

/* A tick of 100, 250, 300 or 1000 to the second. */
static void test_units(void)
{
	const char *text = topology_units(a);
	long ns = 0, page = 0;

	CHECK(sscanf(text, "inline int _tick_ns = %ld;\ninline int _page_size = %ld;", &ns,
		      &page) == 2);
	CHECK(page == sysconf(_SC_PAGESIZE));
	CHECK(ns == 10000000 || ns == 4000000 || ns == 3333333 || ns == 1000000);
}

int main(void)
{
	a = arena_new();
	test_nothing();
	test_one();
	test_two();
	test_interleaved();
	test_nonsense();
	test_devices();
	test_units();
	arena_free(a);
	return test_done();
}
