/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * d_path: getppid(descriptor, "what it is", its path as /proc has it) for files of all kinds:
 * plain, deleted, without a place, on mounts of its own, and last behind a chroot(2), where the
 * path is ours.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(const char *what, int fd)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		exit(1);
	path[n] = '\0';
	syscall(SYS_getppid, fd, what, path);
}

static void must(int ret)
{
	if (ret < 0) {
		perror("d_path");
		exit(1);
	}
}

int main(void)
{
	char deep[4096] = "";
	int pair[2], fd;

	show("the root", open("/", O_RDONLY));
	show("a device", open("/dev/null", O_RDONLY));
	show("of proc", open("/proc/self/status", O_RDONLY));
	must(mkdir("sub", 0755));
	show("a folder", open("sub", O_RDONLY));
	fd = open("sub/file", O_CREAT | O_RDWR, 0644);
	show("a file", fd);
	must(rename("sub/file", "sub/renamed"));
	show("renamed", fd);
	must(unlink("sub/renamed"));
	show("deleted", fd);
	must(pipe(pair));
	show("a pipe", pair[0]);
	show("a socket", socket(AF_UNIX, SOCK_STREAM, 0));
	show("an event", eventfd(0, 0));
	show("memory", memfd_create("mem", 0));
	for (int i = 0, n = 0; i < 60; i++) {
		n += sprintf(deep + n, "%sd%d", i ? "/" : "", i);
		must(mkdir(deep, 0755));
	}
	show("deep", open(deep, O_RDONLY));

	must(unshare(CLONE_NEWNS));
	must(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL));
	must(mount("tmpfs", "sub", "tmpfs", 0, NULL));
	must(mkdir("sub/in", 0755));
	fd = open("sub/in", O_RDONLY);
	show("on a mount", fd);
	must(mkdir("sub/in/bind", 0755));
	must(mount("/dev", "sub/in/bind", NULL, MS_BIND, NULL));
	show("on a mount on a mount", open("sub/in/bind/null", O_RDONLY));
	must(chroot("sub"));
	syscall(SYS_getppid, fd, "behind a chroot", "/in");
	return 0;
}
