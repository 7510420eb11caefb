// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the files whose tables are made before any process asks for them: those that probes are
 * attached in, and the C library, which is part of nearly every stack.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/unwind.h"
#include "load/unwind/unwind_int.h"
#include "sym/sym_priv.h"

struct dt_unwind_file file_id(const struct map_line *m)
{
	return (struct dt_unwind_file){m->ino, (m->dev >> 32) << 20 | (uint32_t)m->dev};
}

struct search {
	uint64_t start;
	struct dt_unwind_file id;
};

static int match_start(void *arg, const struct map_line *m)
{
	struct search *s = arg;

	if (m->start == s->start)
		s->id = file_id(m);
	return 0;
}

bool file_find_id(int fd, struct dt_unwind_file *out)
{
	/* fstat(2) has another device than the mapping on file systems with subvolumes */
	void *page = mmap(NULL, DT_UNWIND_PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	struct search s = {.start = (uintptr_t)page};

	if (page == MAP_FAILED)
		return false;
	maps_read(getpid(), match_start, &s);
	munmap(page, DT_UNWIND_PAGE);
	*out = s.id;
	return s.id.ino != 0;
}

/* ---- processes that have mapped it ---- */

struct users {
	const struct dt_unwind_file *ids;
	uint32_t n;
	bool found;
};

static int match_id(void *arg, const struct map_line *m)
{
	struct users *u = arg;
	struct dt_unwind_file id = file_id(m);

	for (uint32_t i = 0; m->prot & PROT_EXEC && i < u->n; i++)
		u->found |= !memcmp(&id, &u->ids[i], sizeof(id));
	return u->found;
}

void files_users(
	const struct dt_unwind_file *ids, uint32_t n, void (*fn)(void *arg, pid_t pid), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc && (e = readdir(proc)) != NULL) {
		struct users u = {.ids = ids, .n = n};
		pid_t pid = (pid_t)atoi(e->d_name);

		if (pid <= 0 || pid == getpid())
			continue;
		maps_read(pid, match_id, &u);
		if (u.found)
			fn(arg, pid);
	}
	if (proc)
		closedir(proc);
}

/* ---- the C library ---- */

/* "libc.so.6", "ld-linux-x86-64.so.2", "ld-musl-x86_64.so.1" */
bool file_is_common(const struct map_line *m)
{
	const char *slash = strrchr(m->path, '/');

	return slash && m->prot & PROT_EXEC &&
		(!strncmp(slash + 1, "libc.", 5) || !strncmp(slash + 1, "ld-", 3));
}
