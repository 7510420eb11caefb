// SPDX-License-Identifier: Apache-2.0
/* Finds a living thread of a process whose first thread has ended. */
#include "base/living.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/transfer.h"

/* True if thread TID has ended, though it may still be there (proc_pid_stat(5), field 3). */
static bool has_ended(pid_t tid)
{
	char path[32], text[128], *name_end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : transfer_read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	name_end = strrchr(text, ')');
	return name_end && (!strncmp(name_end, ") Z", 3) || !strncmp(name_end, ") X", 3));
}

static pid_t another_thread(pid_t pid)
{
	struct dirent *e;
	char path[32];
	pid_t found = pid;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && found == pid && (e = readdir(dir))) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);

		if (tid > 0 && tid != pid && !has_ended(tid))
			found = tid;
	}
	if (dir)
		closedir(dir);
	return found;
}

bool living_threads(pid_t pid)
{
	struct stat st;
	char path[32];

	/* a folder has a link from itself, its parent and each of its folders */
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return !stat(path, &st) && st.st_nlink > 3;
}

pid_t living_thread(pid_t pid)
{
	char path[32], to[1];

	/* one call answers for nearly all processes */
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (readlink(path, to, sizeof(to)) >= 0 || !has_ended(pid))
		return pid;
	return another_thread(pid);
}
