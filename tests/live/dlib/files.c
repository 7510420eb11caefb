/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * files: getppid(descriptor, what /proc and the program know of the file) for files of all kinds,
 * descriptors without one, and at last in a folder of its own and behind a chroot(2).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	char what[256], path[256], name[256], dir[256], fs[256], mount[256];
	long pos, flags;
} e;

static void must(int ret)
{
	if (ret < 0) {
		perror("files");
		exit(1);
	}
}

/* e.pos, e.flags and the mount's number (proc(5), /proc/PID/fdinfo) */
static int read_fdinfo(int fd)
{
	char line[256];
	int mount = -1;
	FILE *f;

	snprintf(line, sizeof(line), "/proc/self/fdinfo/%d", fd);
	f = fopen(line, "r");
	must(f ? 0 : -1);
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "pos: %ld", &e.pos);
		sscanf(line, "flags: %lo", &e.flags);
		sscanf(line, "mnt_id: %d", &mount);
	}
	fclose(f);
	e.flags &= ~O_CLOEXEC; /* the descriptor's */
	return mount;
}

/* e.mount and e.fs; what has no mount point, FS is right for. */
static void read_mountinfo(int mount, const char *fs)
{
	FILE *f = fopen("/proc/self/mountinfo", "r");
	char line[4096];
	int id;

	strcpy(e.mount, "<none>");
	strcpy(e.fs, fs);
	must(f ? 0 : -1);
	while (fgets(line, sizeof(line), f)) {
		char *dash = strstr(line, " - ");

		if (dash && sscanf(line, "%d %*d %*s %*s %255s", &id, e.mount) == 2 &&
			id == mount) {
			must(sscanf(dash, " - %255s", e.fs) == 1 ? 0 : -1);
			fclose(f);
			return;
		}
	}
	strcpy(e.mount, "<none>");
	fclose(f);
}

static void set_names(const char *name)
{
	char *slash = strrchr(e.path, '/');

	strcpy(e.name, name ? name : slash && slash[1] ? slash + 1 : e.path);
	strcpy(e.dir, ".");
	if (slash)
		snprintf(e.dir, sizeof(e.dir), "%.*s", slash == e.path ? 1 : (int)(slash - e.path),
			e.path);
}

static void show_as(const char *what, int fd, const char *name, const char *fs)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, e.path, sizeof(e.path) - 1);
	must((int)n);
	e.path[n] = '\0';
	strcpy(e.what, what);
	read_mountinfo(read_fdinfo(fd), fs);
	set_names(name);
	syscall(SYS_getppid, fd, &e);
}

static void show(const char *what, int fd)
{
	must(fd);
	show_as(what, fd, NULL, "");
}

static void show_none(const char *what, int fd)
{
	strcpy(e.what, what);
	strcpy(e.path, "<none>");
	strcpy(e.name, "<none>");
	strcpy(e.dir, "<none>");
	strcpy(e.fs, "<none>");
	strcpy(e.mount, "<none>");
	e.pos = e.flags = 0;
	syscall(SYS_getppid, fd, &e);
}

int main(void)
{
	int pair[2], fd;

	show("the root", open("/", O_RDONLY));
	show("a device", open("/dev/null", O_WRONLY | O_APPEND));
	show("of proc", open("/proc/self/status", O_RDONLY));
	show("the root of proc", open("/proc", O_RDONLY | O_DIRECTORY));
	must(mkdir("sub", 0755));
	fd = open("sub/file", O_CREAT | O_RDWR | O_NONBLOCK | O_CLOEXEC, 0644);
	must(fd);
	must(ftruncate(fd, 10000));
	must((int)lseek(fd, 1234, SEEK_SET));
	show("a file", fd);
	must(write(fd, "1234567", 7) == 7 ? 0 : -1);
	must(rename("sub/file", "sub/renamed"));
	show("renamed", fd);
	must(unlink("sub/renamed"));
	show_as("deleted", fd, "renamed", "");
	must(pipe(pair));
	show_as("a pipe", pair[1], NULL, "pipefs");
	show_as("a socket", socket(AF_UNIX, SOCK_STREAM, 0), NULL, "sockfs");
	show_as("an event", eventfd(0, 0), NULL, "anon_inodefs");
	show_as("memory", memfd_create("mem", 0), NULL, "tmpfs");
	show("far along", dup2(open("/dev/zero", O_RDWR), 1000));
	must(close(fd));
	show_none("closed", fd);
	show_none("beyond the table", 100000);
	show_none("negative", -1);
	show_none("the least integer", 1 << 31);

	must(unshare(CLONE_NEWNS));
	must(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL));
	must(mount("tmpfs", "sub", "tmpfs", 0, NULL));
	must(mkdir("sub/in", 0755));
	show("on a mount", open("sub/in", O_RDONLY));
	show("a mount", open("sub", O_RDONLY));
	must(mkdir("sub/in/bind", 0755));
	must(mount("/dev", "sub/in/bind", NULL, MS_BIND, NULL));
	show("on a mount on a mount", open("sub/in/bind/null", O_RDONLY));
	must(chdir("sub/in"));
	must(chroot("."));
	must(chdir("/bind"));
	syscall(SYS_getppid, -2, "/sub/in");
	return 0;
}
