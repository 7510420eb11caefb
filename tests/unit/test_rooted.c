// SPDX-License-Identifier: Apache-2.0
/* Paths that another process chooses: no link leads out of its root, nothing but files is opened.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char dir[] = "/tmp/test_rooted.XXXXXX";

/* The path of NAME in the folder of the test. */
static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");

	fputs(text, f);
	fclose(f);
}

/* The text of file PATH below ROOT, or the error. */
static const char *read_regular(const char *root, const char *path, uint64_t most)
{
	static char text[64];
	int fd = rooted_open_regular(root, path, most);
	ssize_t n;

	if (fd < 0)
		return strerrorname_np(-fd);
	n = read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	close(fd);
	return text;
}

static void test_links(void)
{
	char root[300], outside[300];

	snprintf(root, sizeof(root), "%s", at("root"));
	snprintf(outside, sizeof(outside), "%s", at("outside"));
	mkdir(root, 0755);
	write_file("outside", "outside");
	write_file("root/inside", "inside");
	CHECK_INT(symlink("/inside", at("root/absolute")), 0);
	CHECK_INT(symlink("../outside", at("root/up")), 0);
	CHECK_INT(symlink(outside, at("root/away")), 0);
	CHECK_INT(symlink("/proc/self/fd/0", at("root/magic")), 0);
	CHECK_STR(read_regular(root, "/inside", 0), "inside");
	CHECK_STR(read_regular(root, "/absolute", 0), "inside");
	CHECK_STR(read_regular(root, "/up", 0), "ENOENT");
	CHECK_STR(read_regular(root, "/away", 0), "ENOENT");
	CHECK_STR(read_regular(root, "/../outside", 0), "ENOENT");
	CHECK_INT(rooted_open(root, "/absolute", O_PATH, 0, ROOTED_NO_LINKS), -ELOOP);
	CHECK_STR(read_regular(NULL, at("outside"), 0), "outside");
}

static void test_magic_links(void)
{
	char root[] = "/proc/self/root", path[64];
	int fd = open(at("outside"), O_RDONLY);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_STR(read_regular(root, path, 0), "ELOOP");
	close(fd);
}

static void test_kinds(void)
{
	CHECK_INT(mkfifo(at("fifo"), 0600), 0);
	CHECK_STR(read_regular(NULL, at("fifo"), 0), "ENODEV");
	CHECK_STR(read_regular(NULL, "/dev/ptmx", 0), "ENODEV");
	CHECK_STR(read_regular("/proc/self/root", "/dev/ptmx", 0), "ENODEV");
	CHECK_STR(read_regular(NULL, dir, 0), "ENODEV");
	CHECK_STR(read_regular(NULL, at("outside"), 7), "outside");
	CHECK_STR(read_regular(NULL, at("outside"), 6), "EFBIG");
	CHECK_STR(read_regular(NULL, at("none"), 0), "ENOENT");
}

int main(void)
{
	static const char *const made[] = {"root/inside", "root/absolute", "root/up", "root/away",
		"root/magic", "root", "outside", "fifo", NULL};

	if (!mkdtemp(dir))
		return 1;
	test_links();
	test_magic_links();
	test_kinds();
	for (int i = 0; made[i]; i++)
		remove(at(made[i]));
	rmdir(dir);
	return test_done();
}
