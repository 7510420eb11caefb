// SPDX-License-Identifier: Apache-2.0
/*
 * The finder of separate debug files: each place of elf/debugfile.h below a root folder made here,
 * and files there that must not be taken.
 * @ref providers 15
 */
#define _GNU_SOURCE
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "elf/debugfile.h"
#include "elf/file.h"

static char dir[200], root[256];

static bool runs(const char *command)
{
	char text[1024];
	bool ok;

	snprintf(text, sizeof(text), "d='%s'; cd $d && { %s; } >/dev/null", dir, command);
	ok = !system(text);
	if (!ok)
		printf("%s\n", command);
	return ok;
}

/* The debug file of NAME that is found for PART; "" = none, else its name below the folder. */
static const char *found(const char *name, const char *path, enum elf_debug_part part)
{
	static char at[512];
	const struct elf_place place = {.root = root, .path = path};
	struct elf_file f;
	char self[64];
	ssize_t n;
	int fd, with;

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	fd = open(at, O_RDONLY | O_CLOEXEC);
	CHECK_INT(elf_file_open(&f, fd), 0);
	with = elf_debug_open(&f, &place, part);
	elf_file_close(&f);
	close(fd);
	if (with < 0)
		return "";
	snprintf(self, sizeof(self), "/proc/self/fd/%d", with);
	n = readlink(self, at, sizeof(at) - 1);
	close(with);
	at[n > 0 ? n : 0] = '\0';
	return strncmp(at, dir, strlen(dir)) ? at : at + strlen(dir) + 1;
}

/* ROOT/DIR/NAME is $d/root$d/NAME for a file in $d. */
static void check_places(void)
{
	const char *by_id = "root/usr/lib/debug/.build-id/01/23456789abcdef.debug";

	CHECK_STR(found("id", NULL, ELF_DEBUG_DWARF), "");
	CHECK(runs("mkdir -p root$d/.debug root/usr/lib/debug$d root/usr/lib/debug/.build-id/01 "
		   "root/other && cp id.debug root/usr/lib/debug$d"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "root/usr/lib/debug/"));
	CHECK(runs("cp id.debug root$d/.debug"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
	CHECK(runs("cp id.debug root$d"));
	CHECK(!strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
	CHECK(runs("cp id.debug root/usr/lib/debug/.build-id/01/23456789abcdef.debug"));
	CHECK_STR(found("id", NULL, ELF_DEBUG_DWARF), by_id);
	CHECK_STR(found("id", NULL, ELF_DEBUG_SYMBOLS), by_id);
	/* by the folder that only the path tells */
	CHECK(runs("rm -r root && mkdir -p root/other && cp id.debug root/other"));
	CHECK_STR(found("id", NULL, ELF_DEBUG_DWARF), "");
	CHECK_STR(found("id", "/other/id", ELF_DEBUG_DWARF), "root/other/id.debug");
}

static void check_refused(void)
{
	/* another build, and the right one in the next place */
	CHECK(runs("rm -r root && mkdir -p root$d/.debug && cp sum.debug root$d/id.debug && "
		   "cp id.debug root$d/.debug"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
	/* a file without the part, and one with it in the next place */
	CHECK(runs("objcopy --strip-debug id.debug root$d/id.debug"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
	CHECK(!strstr(found("id", NULL, ELF_DEBUG_SYMBOLS), "/.debug/id.debug"));
	/* nobody writes into the pipe, the folder is no file */
	CHECK(runs("rm root$d/id.debug && mkfifo root$d/id.debug"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
	CHECK(runs("rm root$d/id.debug && mkdir root$d/id.debug"));
	CHECK(strstr(found("id", NULL, ELF_DEBUG_DWARF), "/.debug/id.debug"));
}

/* Without a build id the checksum decides. */
static void check_sum(void)
{
	CHECK(runs("rm -r root && mkdir -p root$d && cp sum.debug root$d"));
	CHECK(strstr(found("sum", NULL, ELF_DEBUG_DWARF), "/sum.debug"));
	CHECK(runs("echo >>root$d/sum.debug"));
	CHECK_STR(found("sum", NULL, ELF_DEBUG_DWARF), "");
	/* the link is to the file itself */
	CHECK(runs("cp sum root$d/sum.debug"));
	CHECK_STR(found("sum", NULL, ELF_DEBUG_DWARF), "");
}

static bool finds_alt(const char *name, const uint8_t *id, size_t len)
{
	char path[512];
	int fd, alt;

	snprintf(path, sizeof(path), "%s/sum.debug", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	alt = elf_debug_open_alt(fd, root, name, id, len);
	close(fd);
	if (alt >= 0)
		close(alt);
	return alt >= 0;
}

static void check_alt(void)
{
	static const uint8_t id[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
	static const uint8_t other[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xee};
	char absolute[300];

	snprintf(absolute, sizeof(absolute), "%s/alone/id.debug", dir);
	CHECK(runs("rm -r root && mkdir -p root/dwz alone && cp id.debug root/dwz && "
		   "cp id.debug alone"));
	CHECK(finds_alt("/dwz/id.debug", id, sizeof(id)));
	CHECK(!finds_alt("/dwz/id.debug", other, sizeof(other)));
	CHECK(!finds_alt("/dwz/id.debug", id, 0));
	CHECK(!finds_alt("/dwz/none", id, sizeof(id)));
	CHECK(finds_alt(absolute, id, sizeof(id)));
	CHECK(finds_alt("alone/id.debug", id, sizeof(id))); /* from where the debug file is */
	CHECK(runs("mkdir -p root/usr/lib/debug/.build-id/01 && "
		   "mv root/dwz/id.debug root/usr/lib/debug/.build-id/01/23456789abcdef.debug"));
	CHECK(finds_alt("/dwz/id.debug", id, sizeof(id)));
}

static void interrupt(int sig)
{
	(void)sig;
	interrupt_note();
}

/* Opens the debug file of "sum" with LEFT bytes to be read; returns what is left. */
static uint64_t left_of(uint64_t left)
{
	const struct elf_place place = {.root = root, .path = "/other/sum", .check_left = &left};
	struct elf_file f;
	char at[512];
	int fd, with;

	snprintf(at, sizeof(at), "%s/sum", dir);
	fd = open(at, O_RDONLY | O_CLOEXEC);
	CHECK_INT(elf_file_open(&f, fd), 0);
	with = elf_debug_open(&f, &place, ELF_DEBUG_DWARF);
	CHECK_INT(with, -1);
	elf_file_close(&f);
	close(fd);
	return left;
}

/* A file of gigabytes whose checksum is made: there is a limit, and ^C ends it. */
static void check_endless(void)
{
	/* again and again: the first can come before anything is read */
	const struct itimerval often = {{.tv_usec = 10000}, {.tv_usec = 10000}};
	const struct itimerval none = {.it_value.tv_usec = 0};
	const uint64_t most = 8ull << 30, size = 2047ull << 20;

	signal(SIGALRM, interrupt);
	CHECK(runs("rm -rf root && mkdir -p root/other && cp sum.debug root/other && "
		   "truncate -s 2047M root/other/sum.debug"));
	setitimer(ITIMER_REAL, &often, NULL);
	CHECK(left_of(most) > most - size);
	setitimer(ITIMER_REAL, &none, NULL);
	CHECK(interrupt_count() >= 1);
	/* what begins later is read again, as far as all files may be */
	CHECK_INT(left_of(100 << 20), 0);
	CHECK(runs("truncate -s 3G root/other/sum.debug"));
	CHECK_INT(left_of(most), most);
	CHECK(runs("rm root/other/sum.debug && mkfifo root/other/sum.debug"));
	CHECK_INT(left_of(most), most);
	CHECK(runs("rm root/other/sum.debug && ln -s $d/sum.debug root/other/sum.debug"));
	CHECK_INT(left_of(most), most); /* it leads out of the root */
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/debugfile.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	snprintf(root, sizeof(root), "%s/root", dir);
	CHECK(runs("echo 'int main(void) { return 0; }' >p.c && "
		   "cc -g -Wl,--build-id=0x0123456789abcdef -o id p.c && "
		   "cc -g -Wl,--build-id=none -o sum p.c && for f in id sum; do "
		   "objcopy --only-keep-debug $f $f.debug && strip $f && "
		   "objcopy --add-gnu-debuglink=$f.debug $f || exit 1; done"));
	check_places();
	check_refused();
	check_sum();
	check_alt();
	check_endless();
	runs("cd / && rm -r $d");
	return test_done();
}
