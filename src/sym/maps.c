// SPDX-License-Identifier: Apache-2.0
/* Reads /proc/PID/maps: "start-end perms offset major:minor inode   path" (proc_pid_maps(5)). */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/living.h"
#include "base/rooted.h"
#include "confine/looker.h"
#include "sym/sym_priv.h"

static bool parse_line(char *line, struct map_line *m)
{
	unsigned long long start, end, off, ino;
	unsigned int major, minor;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, perms, &off, &major,
		    &minor, &ino, &at) < 7)
		return false;
	*m = (struct map_line){
		.start = start,
		.end = end,
		.off = off,
		.dev = (uint64_t)major << 32 | minor,
		.ino = ino,
		.prot = (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
			(perms[2] == 'x' ? PROT_EXEC : 0),
		.path = line + at,
	};
	return true;
}

static int open_maps(const struct looker *by, pid_t pid)
{
	int fd = looker_open(by, &(struct look){.what = LOOK_MAPS, .pid = pid});
	char path[64];

	if (fd != -EPIPE)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/maps", living_thread(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int maps_read_by(const struct looker *by, pid_t pid, int (*fn)(void *arg, const struct map_line *m),
	void *arg)
{
	char *text, *line, *next;
	struct map_line m;
	int n = 0, r = 0, fd = open_maps(by, pid);
	size_t len;

	if (fd < 0)
		return fd;
	text = sym_read_all(fd, &len);
	close(fd);
	if (!text)
		return -ESRCH;
	for (line = text; !r && *line; line = next) {
		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = '\0';
		if (!parse_line(line, &m))
			continue;
		r = fn(arg, &m);
		n++;
	}
	free(text);
	return r ? r : n;
}

int maps_read(pid_t pid, int (*fn)(void *arg, const struct map_line *m), void *arg)
{
	return maps_read_by(NULL, pid, fn, arg);
}

/* Returns FD if it is the file of inode INO, 0 = any; else closes it. */
static int with_inode(int fd, uint64_t ino)
{
	struct stat st;

	if (fd < 0 || !ino || (!fstat(fd, &st) && st.st_ino == ino))
		return fd;
	close(fd);
	return -ENOENT;
}

int maps_open_known(const char *path, uint64_t dev, uint64_t ino)
{
	int at = rooted_open(NULL, path, O_PATH, 0, ROOTED_LINKS), fd = -1;
	struct stat st;

	if (at < 0)
		return -1;
	if (!fstat(at, &st) && st.st_ino == ino &&
		((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)) == dev)
		fd = rooted_reopen_regular(at, 0);
	close(at);
	return fd < 0 ? -1 : fd;
}

/* Does what maps_open() does, with the rights of BY. */
static int open_by(const struct looker *by, pid_t pid, const struct map_line *m)
{
	struct look l = {LOOK_MAPPING, pid, m->start, m->end, m->path};
	int fd = by ? maps_open_known(m->path, m->dev, m->ino) : -1;

	if (fd >= 0)
		return fd;
	fd = looker_open(by, &l);
	if (fd >= 0 || fd == -EPIPE)
		return fd;
	l.what = LOOK_FILE;
	fd = looker_open(by, &l);
	if (fd < 0) {
		l.pid = 0;
		fd = looker_open(by, &l);
	}
	return with_inode(fd, m->ino);
}

int maps_open_by(const struct looker *by, pid_t pid, const struct map_line *m)
{
	char path[96], root[32];
	int fd = open_by(by, pid, m);

	if (fd != -EPIPE)
		return fd < 0 ? -1 : fd;
	/* the very file, even if it is deleted or in another mount namespace; needs privilege */
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", living_thread(pid),
		(unsigned long long)m->start, (unsigned long long)m->end);
	fd = rooted_open_regular(NULL, path, 0);
	if (fd >= 0)
		return fd;
	snprintf(root, sizeof(root), "/proc/%d/root", living_thread(pid));
	fd = with_inode(rooted_open_regular(root, m->path, 0), m->ino);
	if (fd < 0)
		fd = with_inode(rooted_open_regular(NULL, m->path, 0), m->ino);
	return fd < 0 ? -1 : fd;
}

int maps_open(pid_t pid, const struct map_line *m)
{
	return maps_open_by(NULL, pid, m);
}
