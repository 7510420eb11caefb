// SPDX-License-Identifier: Apache-2.0
/* Paths that another process chooses: no link leads out of its root, nothing but files is opened.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

static void remove_links(void)
{
	static const char *const links[] = {"absolute", "up", "away", "magic"};
	char name[32];

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		snprintf(name, sizeof(name), "root/%s", links[i]);
		remove(at(name));
	}
}

static void test_links(void)
{
	char root[300], outside[300];

	snprintf(root, sizeof(root), "%s", at("root"));
	snprintf(outside, sizeof(outside), "%s", at("outside"));
	remove_links();
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

/* Paths with all that can be in one: they lead to the same with openat2(2) and without it. */
static void test_forms(void)
{
	char root[300], name[300] = "/", deep[300] = "";
	int fd;

	snprintf(root, sizeof(root), "%s", at("root"));
	memset(name + 1, 'n', 256);
	for (int i = 0; i < 70; i++)
		strcat(deep, "/..");
	strcat(deep, "/inside");
	CHECK_INT(mkdir(at("root/folder"), 0755), 0);
	CHECK_INT(symlink("..", at("root/folder/back")), 0);
	CHECK_INT(symlink("/folder/back/folder", at("root/chain")), 0);
	CHECK_INT(symlink("self", at("root/self")), 0);
	CHECK_STR(read_regular(root, "inside", 0), "inside");
	CHECK_STR(read_regular(root, "//./folder//..///inside", 0), "inside");
	CHECK_STR(read_regular(root, "/folder/back/inside", 0), "inside");
	CHECK_STR(read_regular(root, "/chain/../inside", 0), "inside");
	CHECK_STR(read_regular(root, "/chain/back/chain/back/up", 0), "ENOENT");
	CHECK_STR(read_regular(root, deep, 0), "inside");
	CHECK_STR(read_regular(root, "/inside/more", 0), "ENOTDIR");
	CHECK_STR(read_regular(root, "/self", 0), "ELOOP");
	CHECK_STR(read_regular(root, "/self/inside", 0), "ELOOP");
	CHECK_STR(read_regular(root, name, 0), "ENAMETOOLONG");
	CHECK_STR(read_regular(root, "/", 0), "ENODEV");
	CHECK_STR(read_regular(root, "/folder/..", 0), "ENODEV");
	CHECK_INT(
		rooted_open(root, "/chain/new", O_WRONLY | O_CREAT, 0600, ROOTED_NO_LINKS), -ELOOP);
	fd = rooted_open(root, "/folder/new", O_WRONLY | O_CREAT | O_EXCL, 0600, ROOTED_NO_LINKS);
	CHECK_INT(fd >= 0, 1);
	close(fd);
	fd = rooted_open(root, "/folder", O_PATH | O_DIRECTORY, 0, ROOTED_NO_LINKS);
	CHECK_INT(fd >= 0, 1);
	close(fd);
	remove(at("root/folder/new"));
	remove(at("root/folder/back"));
	remove(at("root/folder"));
	remove(at("root/chain"));
	remove(at("root/self"));
}

/* Has openat2(2) refused, as the filter of a tracer that has given up its rights does. */
static void refuse_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};

	CHECK_INT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	CHECK_INT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), 0);
	CHECK_INT(syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0), -1);
	CHECK_INT(errno, EPERM);
}

int main(void)
{
	static const char *const made[] = {"root/inside", "root/absolute", "root/up", "root/away",
		"root/magic", "root", "outside", "fifo", NULL};

	if (!mkdtemp(dir))
		return 1;
	test_links();
	test_magic_links();
	test_forms();
	test_kinds();
	remove(at("fifo"));
	refuse_openat2();
	test_links();
	test_forms();
	test_kinds();
	for (int i = 0; made[i]; i++)
		remove(at(made[i]));
	rmdir(dir);
	return test_done();
}
