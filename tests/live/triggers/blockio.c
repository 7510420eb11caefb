/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * blockio: reads and writes of known place and size on a block device of its own, a loop device
 * over memory.
 *
 *	blockio [-d DEVICE] WORD...
 *	w SECTOR BYTES	write there, past the page cache
 *	r SECTOR BYTES	read there
 *	m SECTOR BYTES	write there in pieces of 4096 bytes, all given to the kernel at once,
 *			which can make one request of them
 *	f		flush the device's cache
 *	e SECTOR BYTES	write there, which fails with EIO; nothing can be written after that
 *	fs PATH BYTES	make an ext4 file system on the device, in a mount namespace of its own,
 *			and there a file PATH of so many bytes, written to the disk, and read
 *			from it; needs mkfs.ext4
 *
 * For each it prints what is to be seen, before it does it: "start MAJOR MINOR NAME r|w|f SECTOR
 * BYTES", sectors of 512 bytes, and "done ... ERRNO" after it; "fs" prints "file MAJOR MINOR
 * MOUNTPOINT PATH BYTES" and the process that writes and reads it is called "fswriter".  The
 * device's buffer is page-aligned and each request one bio: up to 64 KiB.  -d uses DEVICE, whose
 * data it destroys, say a RAM disk.  Status 77: there is no such device here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "facts.h"

#define SIZE (32 << 20)

static int memory = -1;
static char device[128];
static unsigned major_number, minor_number;
static char *buffer;

/* A loop device over memory, into device[]; the descriptor keeps it: it is gone when that is
 * closed. */
static int loop_open(void)
{
	struct loop_config config = {.info.lo_flags = LO_FLAGS_AUTOCLEAR};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd = -1;

	memory = memfd_create("blockio", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory < 0 || ftruncate(memory, SIZE))
		fail(1, "memfd");
	config.fd = memory;
	/* another may take the free one first */
	for (int i = 0; control >= 0 && i < 16; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0)
			break;
		snprintf(device, sizeof(device), "/dev/loop%d", number);
		fd = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (fd < 0)
			break;
		if (ioctl(fd, LOOP_CONFIGURE, &config) == 0) {
			close(control);
			return fd;
		}
		close(fd);
		if (errno != EBUSY)
			break;
	}
	fail(77, "no loop device");
}

static int device_open(const char *path)
{
	struct stat st;
	int fd;

	if (path) {
		snprintf(device, sizeof(device), "%s", path);
		fd = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (fd < 0)
			fail(77, device);
	} else {
		fd = loop_open();
	}
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode))
		fail(2, device);
	major_number = major(st.st_rdev);
	minor_number = minor(st.st_rdev);
	if (posix_memalign((void **)&buffer, 65536, 65536))
		fail(1, "memory");
	memset(buffer, 'x', 65536);
	return fd;
}

/* ---- past the page cache */

static void told(const char *when, char kind, long sector, long bytes, int error)
{
	char tail[16] = "";

	if (error >= 0)
		snprintf(tail, sizeof(tail), " %d", error);
	fact("%s %u %u %s %c %ld %ld%s", when, major_number, minor_number, device + strlen("/dev/"),
		kind, sector, bytes, tail);
}

static int transfer(int fd, char kind, long sector, long bytes, int expected)
{
	ssize_t n;
	int error;

	if (bytes < 512 || bytes > 65536 || sector < 0)
		return 2;
	told("start", kind, sector, bytes, -1);
	n = kind == 'r' ? pread(fd, buffer, bytes, sector * 512)
			: pwrite(fd, buffer, bytes, sector * 512);
	error = n == bytes ? 0 : errno;
	told("done", kind, sector, bytes, error);
	return error != expected;
}

static int several(int fd, long sector, long bytes)
{
	struct iocb requests[16], *list[16];
	struct io_event events[16];
	aio_context_t context = 0;
	int n = bytes / 4096;

	if (n < 1 || n > 16 || syscall(SYS_io_setup, 16, &context))
		return 2;
	for (int i = 0; i < n; i++) {
		requests[i] = (struct iocb){.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = fd,
			.aio_buf = (uintptr_t)buffer + i * 4096,
			.aio_nbytes = 4096,
			.aio_offset = sector * 512 + i * 4096};
		list[i] = &requests[i];
		told("start", 'w', sector + i * 8, 4096, -1);
	}
	if (syscall(SYS_io_submit, context, n, list) != n ||
		syscall(SYS_io_getevents, context, n, n, events, NULL) != n)
		fail(1, "aio");
	for (int i = 0; i < n; i++)
		told("done", 'w', sector + i * 8, 4096, events[i].res == 4096 ? 0 : EIO);
	syscall(SYS_io_destroy, context);
	return 0;
}

static int flush(int fd)
{
	told("start", 'f', 0, 0, -1);
	if (fsync(fd))
		return 1;
	told("done", 'f', 0, 0, 0);
	return 0;
}

/* A sealed file can't be written to: the device's error. */
static int broken(int fd, long sector, long bytes)
{
	if (memory < 0 || fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE))
		fail(77, "no way to make errors");
	return transfer(fd, 'w', sector, bytes, EIO);
}

/* ---- a file system */

static void make_fs(void)
{
	int status, null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid = fork();

	if (pid == 0) {
		dup2(null, STDOUT_FILENO);
		execl("/sbin/mkfs.ext4", "mkfs.ext4", "-F", "-q", "-O", "^has_journal", "-E",
			"lazy_itable_init=0,nodiscard", device, NULL);
		_exit(127);
	}
	close(null);
	if (waitpid(pid, &status, 0) != pid || status)
		fail(77, "mkfs.ext4 doesn't work");
}

static void write_and_read(const char *path, long bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	prctl(PR_SET_NAME, "fswriter");
	for (long left = bytes; left > 0;) {
		ssize_t n = write(fd, buffer, left < 65536 ? left : 65536);

		if (n <= 0)
			fail(1, path);
		left -= n;
	}
	if (fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) || lseek(fd, 0, SEEK_SET))
		fail(1, path);
	while (read(fd, buffer, 65536) > 0)
		;
	prctl(PR_SET_NAME, "blockio");
	close(fd);
}

static int fs(const char *name, long bytes)
{
	const char *tmp = getenv("TMPDIR");
	char dir[4096], path[4352];

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		fail(77, "no mount namespace");
	make_fs();
	snprintf(dir, sizeof(dir), "%s/blockio.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		fail(1, dir);
	if (mount(device, dir, "ext4", MS_NOATIME, "")) {
		rmdir(dir);
		fail(77, "can't mount ext4");
	}
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fact("file %u %u %s %s %ld", major_number, minor_number, dir, path, bytes);
	write_and_read(path, bytes);
	if (umount(dir))
		fail(1, dir);
	rmdir(dir);
	return 0;
}

static int usage(void)
{
	fprintf(stderr,
		"blockio [-d DEVICE] { w SECTOR BYTES | r SECTOR BYTES | m SECTOR BYTES | f | e "
		"SECTOR BYTES | fs "
		"PATH BYTES }...\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	int fd, bad = 0;

	argv++;
	if (argc > 2 && !strcmp(*argv, "-d")) {
		path = argv[1];
		argv += 2;
	}
	if (!*argv)
		return usage();
	fd = device_open(path);
	while (*argv && !bad) {
		const char *what = *argv++;

		if (!strcmp(what, "f")) {
			bad = flush(fd);
			continue;
		}
		if (!argv[0] || !argv[1])
			return usage();
		if (!strcmp(what, "w") || !strcmp(what, "r"))
			bad = transfer(fd, *what, atol(argv[0]), atol(argv[1]), 0);
		else if (!strcmp(what, "m"))
			bad = several(fd, atol(argv[0]), atol(argv[1]));
		else if (!strcmp(what, "e"))
			bad = broken(fd, atol(argv[0]), atol(argv[1]));
		else if (!strcmp(what, "fs"))
			bad = fs(argv[0], atol(argv[1]));
		else
			return usage();
		argv += 2;
	}
	close(fd);
	return bad;
}
