// SPDX-License-Identifier: Apache-2.0
/* The folder of the D libraries in build trees and in installed ones, wherever those are moved. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/libdir.h"

#include "base/arena.h"
#include "test.h"

static struct arena *a;
static char top[] = "dtrace-libdir.XXXXXX";

static const char *in_top(const char *path)
{
	return arena_printf(a, "%s/%s", top, path);
}

/* Makes a folder and those above it. */
static void make(const char *path)
{
	char *full = arena_strdup(a, in_top(path));

	for (char *p = full + strlen(top) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(full, 0755);
	}
	mkdir(full, 0755);
}

static void drop(const char *path)
{
	rmdir(in_top(path));
}

static void check_search(const char *file, bool is_program, const char *want)
{
	struct libdir l = libdir_search(a, file ? in_top(file) : NULL, is_program, in_top("built"));

	CHECK_STR(l.path, in_top(want));
	CHECK_INT(l.err, strcmp(want, "built") ? 0 : ENOENT);
}

static void test_layouts(void)
{
	check_search("opt/sbin/dtrace", true, "built");

	make("opt/lib/dtrace");
	check_search("opt/sbin/dtrace", true, "opt/lib/dtrace");
	check_search("opt/bin/dtrace", true, "opt/lib/dtrace");
	check_search("other/sbin/dtrace", true, "built");
	check_search("opt/lib/libdtrace.so.0.1", false, "opt/lib/dtrace");
	check_search("opt/lib/x86_64-linux-gnu/libdtrace.so.0.1", false, "built");
	/* a program's neighbour is not a folder of libraries */
	check_search("opt/lib/private/program", true, "built");

	make("opt/lib64/dtrace");
	check_search("opt/sbin/dtrace", true, "opt/lib64/dtrace");
	drop("opt/lib/dtrace");
	drop("opt/lib64/dtrace");

	make("opt/lib/x86_64-linux-gnu/dtrace");
	check_search("opt/lib/x86_64-linux-gnu/libdtrace.so.0.1", false,
		"opt/lib/x86_64-linux-gnu/dtrace");
#ifdef DTRACE_MULTIARCH
	check_search("opt/sbin/dtrace", true, "opt/lib/" DTRACE_MULTIARCH "/dtrace");
#endif
	drop("opt/lib/x86_64-linux-gnu/dtrace");

	make("build/dlib");
	check_search("build/dtrace", true, "build/dlib");
	check_search("build/libdtrace.so.0.1", false, "build/dlib");

	make("built");
	CHECK_INT(libdir_search(a, NULL, true, in_top("built")).err, 0);
	drop("built");
}

static void test_missing(void)
{
	struct libdir l = libdir_search(a, "/no/such/sbin/dtrace", true, "/no/built");
	const char *text = libdir_message(a, &l);

	CHECK_STR(l.path, "/no/built");
	CHECK(strstr(text, "cannot read the D libraries in /no/such/lib"));
	CHECK(strstr(text, ", /no/such/lib/dtrace, /no/built: No such file or directory"));
	CHECK(!strstr(text, "dlib"));

	l = libdir_search(a, "/no/such/libdtrace.so", false, "/no/such/dtrace");
	CHECK_STR(libdir_message(a, &l),
		"cannot read the D libraries in /no/such/dtrace: No such file or directory");
	/* it is a file */
	l = libdir_search(a, NULL, true, "/dev/null");
	CHECK_STR(
		libdir_message(a, &l), "cannot read the D libraries in /dev/null: Not a directory");
}

/* A folder that exists ends the search, readable or not. */
static void test_unreadable(void)
{
	struct libdir l;

	if (!geteuid()) /* root reads everything */
		return;
	make("shut/lib/dtrace");
	chmod(in_top("shut/lib/dtrace"), 0);
	l = libdir_search(a, in_top("shut/sbin/dtrace"), true, "/");
	CHECK_INT(l.err, EACCES);
	CHECK_STR(libdir_message(a, &l),
		arena_printf(a, "cannot read the D libraries in %s: Permission denied",
			in_top("shut/lib/dtrace")));
	chmod(in_top("shut/lib/dtrace"), 0755);
}

static void test_set(void)
{
	CHECK_STR(libdir_find(a, "/no/such").path, "/no/such");
	CHECK_INT(libdir_find(a, "/no/such").err, ENOENT);
	CHECK_INT(libdir_find(a, "/").err, 0);
}

/* This test is linked with the archive: the code is in the program. */
static void test_own_file(void)
{
	bool is_program = false;
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *file = libdir_code_file(a, &is_program);

	if (n < 0)
		return;
	exe[n] = '\0';
	CHECK_STR(file, exe);
	CHECK(is_program);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	a = arena_new();
	if (!a || chdir(tmp ? tmp : "/tmp") || !mkdtemp(top)) {
		perror("test_libdir");
		return 1;
	}
	test_layouts();
	test_missing();
	test_unreadable();
	test_set();
	test_own_file();
	if (system(arena_printf(a, "rm -r %s", top)))
		CHECK(!"the folder is removed");
	arena_free(a);
	return test_done();
}
