/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * files: work for the kernel's file functions, a known number of calls of each.
 *
 *	files N [SIZE]	N times, in a temporary folder: make a file, write SIZE (100) bytes to it
 *and read them, rename it, remove it
 *
 * While it does that it is called "filer". It prints "call FUNCTION N" for functions of the kernel
 *that have had their names for long, "bytes N" that each of vfs_read and vfs_write moves in all,
 *and "path PATH" of each file.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char buffer[65536];

static int once(int fd, const char *from, const char *to, size_t size)
{
	if (fd < 0 || write(fd, buffer, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) ||
		read(fd, buffer, size) != (ssize_t)size || close(fd))
		return 1;
	return rename(from, to) || unlink(to);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, size = argc > 2 ? atol(argv[2]) : 100;
	const char *tmp = getenv("TMPDIR");
	char dir[4096], from[4200], to[4200];
	int bad = 0;

	if (n < 1 || size < 0 || size > (long)sizeof(buffer)) {
		fprintf(stderr, "files N [SIZE], up to %zu\n", sizeof(buffer));
		return 2;
	}
	snprintf(dir, sizeof(dir), "%s/files.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	snprintf(from, sizeof(from), "%s/old", dir);
	snprintf(to, sizeof(to), "%s/new", dir);
	prctl(PR_SET_NAME, "filer");
	for (long i = 0; i < n && !bad; i++)
		bad = once(open(from, O_RDWR | O_CREAT | O_EXCL, 0600), from, to, size);
	prctl(PR_SET_NAME, "files");
	rmdir(dir);
	printf("call vfs_write %ld\ncall vfs_read %ld\ncall vfs_rename %ld\ncall vfs_unlink %ld\n",
		n, n, n, n);
	printf("bytes %ld\npath %s\npath %s\n", n * size, from, to);
	return bad;
}
