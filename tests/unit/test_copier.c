// SPDX-License-Identifier: Apache-2.0
/* Which processes translate or copy code: by their programs, settings and memory maps. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "confine/looker.h"
#include "sym/copier.h"
#include "sym/process.h"

/* struct looker's: the made-up map of a process */
static int open_text(void *arg, const struct look *l)
{
	const char *text = arg;
	int fd;

	if (l->what != LOOK_MAPS)
		return -ENOENT;
	fd = memfd_create("maps", MFD_CLOEXEC);
	CHECK_INT(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool moved(const char *text, struct copier *c)
{
	const struct looker by = {open_text, (void *)text};

	return copier_by_maps(&by, 1, c);
}

#define HEAD   "00400000-00b6f000 r--p 00000000 fe:00 24 /usr/bin/node\n"
#define TEXT   "00b6f000-00c00000 r-xp 0076f000 fe:00 24 /usr/bin/node\n"
#define REST   "02400000-025fe000 r-xp 02000000 fe:00 24 /usr/bin/node\n"
#define DATA   "02400000-02500000 r--p 02201000 fe:00 24 /usr/bin/node\n"
#define MOVED  "00c00000-02400000 r-xp 00000000 00:00 0 \n"
#define OTHERS "7f0000000000-7f0000001000 r--p 00000000 fe:00 25 /usr/lib/libc.so.6\n"

static void test_moved(void)
{
	static const char *const yes[] = {
		HEAD TEXT MOVED REST OTHERS,
		HEAD TEXT MOVED DATA,
		/* in parts, one of them not executable any more, with a name */
		HEAD TEXT "00c00000-00d00000 r-xp 00000000 00:00 0 [anon:text]\n"
			  "00d00000-02400000 r--p 00000000 00:00 0 \n" REST,
		/* huge pages that are no anonymous ones */
		HEAD TEXT
		"00c00000-02400000 r-xp 00000000 00:0f 77 /anon_hugepage (deleted)\n" REST,
		OTHERS HEAD "00b6f000-02400000 r-xp 00000000 00:00 0 \n" DATA,
	};
	struct copier c;

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		const struct process_object node = {.dev = 0xfe00000000, .ino = 24};
		const struct process_object libc = {.dev = 0xfe00000000, .ino = 25};

		CHECK(moved(yes[i], &c));
		CHECK_STR(c.why ? c.why : "", "has moved its code to other memory");
		CHECK(copier_concerns(&c, &node));
		CHECK(!copier_concerns(&c, &libc));
	}
}

static void test_not_moved(void)
{
	static const char *const no[] = {
		"",
		HEAD TEXT REST OTHERS,
		/* a compiler's code is elsewhere */
		HEAD TEXT REST "10000000-10001000 r-xp 00000000 00:00 0 \n" OTHERS,
		/* next to the file, and nothing of it follows */
		HEAD TEXT MOVED OTHERS,
		/* there is a gap */
		HEAD TEXT "00c01000-02400000 r-xp 00000000 00:00 0 \n" REST,
		HEAD TEXT "00c00000-02300000 r-xp 00000000 00:00 0 \n" REST,
		/* data in a hole */
		HEAD TEXT "00c00000-02400000 rw-p 00000000 00:00 0 \n" REST,
		/* the kernel's own, of uprobes */
		HEAD TEXT "00c00000-02400000 r-xp 00000000 00:00 0 [uprobes-trampoline]\n" REST,
		/* the file is loaded once more after a library */
		HEAD TEXT "00c00000-02400000 r-xp 00000000 fe:00 26 /usr/lib/liba.so\n"
			  "02400000-02500000 r--p 00000000 fe:00 24 /usr/bin/node\n",
	};
	struct copier c;

	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		bool is = moved(no[i], &c);

		if (is)
			fprintf(stderr, "map %zu: %s\n", i, c.why);
		CHECK(!is);
	}
}

static void test_libraries(void)
{
	const struct process_object any = {.dev = 1, .ino = 1};
	struct copier c;

	CHECK(moved(HEAD TEXT
		"7f0-7f1 r-xp 00000000 fe:00 7 /opt/dr/lib64/release/libdynamorio.so\n",
		&c));
	CHECK_STR(c.why, "translates code (DynamoRIO)");
	CHECK(copier_concerns(&c, &any));
	CHECK(moved(HEAD "7f0-7f1 r-xp 00000000 fe:00 7 "
			 "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so\n",
		&c));
	CHECK(moved(HEAD "7f0-7f1 r-xp 00000000 fe:00 7 /usr/lib/rr/librrpreload.so\n", &c));
	/* its data alone, or a file that only sounds so */
	CHECK(!moved(HEAD "7f0-7f1 r--p 00000000 fe:00 7 /opt/libdynamorio.so\n", &c));
	CHECK(!moved(HEAD "7f0-7f1 r-xp 00000000 fe:00 7 /opt/mylibdynamorio.so\n", &c));
}

static void test_programs(void)
{
	static const char *const yes[] = {"/usr/libexec/valgrind/memcheck-amd64-linux", "valgrind",
		"/usr/bin/qemu-x86_64-static", "qemu-aarch64", "rr", "drrun", "box64",
		"FEXInterpreter", "pinbin"};
	static const char *const no[] = {"", "/", "bash", "qemu-system-x86_64", "qemu-img",
		"qemu-nbd", "node", "php8.2", "gdb", "drrunner"};
	struct copier c;

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		CHECK(copier_is_program(yes[i], &c) && c.all && c.why && *c.name);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		CHECK(!copier_is_program(no[i], &c));
}

#define ARGS(program, text) copier_by_args(program, text, sizeof(text))
#define VARS(program, text) copier_by_environ(program, text, sizeof(text))

static void test_settings(void)
{
	CHECK(ARGS("/usr/bin/node", "node\0--use-largepages=on\0-e\0001"));
	CHECK(ARGS("nodejs", "node\0--use-largepages=silent"));
	CHECK(!ARGS("node", "node\0--use-largepages=off"));
	CHECK(!ARGS("cat", "cat\0--use-largepages=on"));
	CHECK(!copier_by_args("node", "", 0));
	CHECK(VARS("node", "HOME=/\0NODE_OPTIONS=--max-http-header-size=1 --use-largepages=on"));
	CHECK(!VARS("node", "HOME=/\0OTHER=--use-largepages=on"));
	CHECK(!VARS("node", "NODE_OPTIONS=--use-largepages=off"));
	CHECK(!VARS("php", "NODE_OPTIONS=--use-largepages=on"));
	CHECK(ARGS("php8.2", "php\0-d\0opcache.huge_code_pages=1"));
	CHECK(ARGS("php-fpm8.2", "php-fpm\0-dopcache.huge_code_pages=On"));
	CHECK(!ARGS("php", "php\0-d\0opcache.huge_code_pages=0"));
	CHECK(!ARGS("php", "php\0-d\0opcache.huge_code_pages=Off"));
	CHECK(copier_depends("/usr/bin/node") && copier_depends("php-fpm8.2"));
	CHECK(!copier_depends("/bin/sh") && !copier_depends("memcheck-amd64-linux"));
}

static void test_processes(void)
{
	struct copier c;

	CHECK(!copier_is(NULL, getpid(), COPIER_QUICK, &c));
	CHECK(!copier_is(NULL, getpid(), COPIER_WHOLE, &c));
	CHECK_STR(c.name, "test_copier");
	CHECK(!copier_is(NULL, 0, COPIER_WHOLE, &c));
	CHECK(!c.why);
}

int main(void)
{
	test_moved();
	test_not_moved();
	test_libraries();
	test_programs();
	test_settings();
	test_processes();
	return test_done();
}
