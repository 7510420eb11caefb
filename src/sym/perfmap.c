// SPDX-License-Identifier: Apache-2.0
/*
 * Reads /tmp/perf-PID.map, in which a JIT compiler lists its code: "start size name", in
 * hexadecimal, lines only ever added (tools/perf/Documentation/jit-interface.txt).  PID and /tmp
 * are the process's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/transfer.h"
#include "sym/sym_priv.h"

#define MOST_TEXT \
	(256u << 20) /* bytes that are kept of the maps of one process, old ones as well */
#define LOOK_BACK 64 /* older code reaching beyond the start of newer */

struct jit {
	uint64_t start, end;
	const char *name;
	uint32_t order;
};

/* Text read in one go; the names point into it. */
struct chunk {
	struct chunk *next;
	char text[];
};

struct perfmap {
	pid_t pid;
	char path[64], own_path[64]; /* the process's, by way of /proc; ours */
	uid_t uid;
	struct stat seen;
	off_t parsed;
	struct chunk *chunks;
	size_t kept;		  /* bytes of all chunks */
	HEAPVEC(struct jit) code; /* by address */
};

/* Returns the pid in the process's own namespace: the last of NSpid in /proc/PID/status. */
static pid_t inner_pid(pid_t pid)
{
	char path[64], line[256];
	pid_t inner = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *last;

		if (strncmp(line, "NSpid:", 6))
			continue;
		last = strrchr(line, '\t');
		if (last && atoi(last) > 0)
			inner = atoi(last);
		break;
	}
	if (f)
		fclose(f);
	return inner;
}

struct perfmap *perfmap_new(pid_t pid)
{
	struct perfmap *p = calloc(1, sizeof(*p));
	char proc[32];
	struct stat st;

	if (!p)
		return NULL;
	p->pid = pid;
	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	if (!stat(proc, &st))
		p->uid = st.st_uid;
	snprintf(p->path, sizeof(p->path), "/proc/%d/root/tmp/perf-%d.map", pid, inner_pid(pid));
	snprintf(p->own_path, sizeof(p->own_path), "/tmp/perf-%d.map", pid);
	return p;
}

void perfmap_free(struct perfmap *p)
{
	if (!p)
		return;
	for (struct chunk *c = p->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	heapvec_free(&p->code);
	free(p);
}

/*
 * Opens the map.  Anyone can write to /tmp: only a plain file of the process's user or of root is
 * taken.
 */
static int open_map(const struct perfmap *p, struct stat *st)
{
	const char *const paths[] = {p->path, p->own_path};

	for (int i = 0; i < 2; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

		if (fd < 0)
			continue;
		if (!fstat(fd, st) && S_ISREG(st->st_mode) &&
			(st->st_uid == p->uid || st->st_uid == 0))
			return fd;
		close(fd);
	}
	return -1;
}

static bool add_line(struct perfmap *p, char *line)
{
	char *end;
	uint64_t start = strtoull(line, &end, 16), size;

	if (*end != ' ')
		return true;
	size = strtoull(end + 1, &end, 16);
	if (*end != ' ' || !end[1])
		return true;
	return !heapvec_push(&p->code, (struct jit){start, start + size, end + 1, p->code.len});
}

static int by_start(const void *a, const void *b)
{
	const struct jit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Read what lies between p->parsed and END, up to the last whole line. */
static void read_more(struct perfmap *p, int fd, off_t end)
{
	size_t want = (size_t)(end - p->parsed);
	struct chunk *c;
	char *line, *nl;
	ssize_t n;

	if (want > MOST_TEXT - p->kept)
		return;
	c = malloc(sizeof(*c) + want + 1);
	if (!c)
		return;
	n = transfer_pread(fd, c->text, want, (uint64_t)p->parsed);
	c->text[n > 0 ? n : 0] = '\0';
	/* without a whole line there is nothing in it yet */
	if (n <= 0 || !strchr(c->text, '\n')) {
		free(c);
		return;
	}
	c->next = p->chunks;
	p->chunks = c;
	p->kept += want;
	for (line = c->text; (nl = strchr(line, '\n')); line = nl + 1) {
		*nl = '\0';
		if (!add_line(p, line))
			break;
	}
	p->parsed += line - c->text;
	if (p->code.len)
		qsort(p->code.data, p->code.len, sizeof(*p->code.data), by_start);
}

/* Reads what was added to the map FD, of which fstat(2) says ST. */
static void update_from(struct perfmap *p, int fd, const struct stat *st)
{
	if (st->st_ino != p->seen.st_ino || st->st_dev != p->seen.st_dev ||
		st->st_size < p->parsed) {
		p->code.len = 0; /* another file; the names of the old one stay */
		p->parsed = 0;
	}
	if ((st->st_size != p->seen.st_size || !p->parsed) && st->st_size > p->parsed)
		read_more(p, fd, st->st_size);
	p->seen = *st;
}

void perfmap_update(struct perfmap *p)
{
	struct stat st;
	int fd = open_map(p, &st);

	if (fd < 0)
		return;
	update_from(p, fd, &st);
	close(fd);
}

void perfmap_update_from(struct perfmap *p, int fd)
{
	struct stat st;

	if (!fstat(fd, &st))
		update_from(p, fd, &st);
}

const char *perfmap_find(const struct perfmap *p, uint64_t addr, uint64_t *start)
{
	uint32_t low = 0, high = p->code.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (p->code.data[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (uint32_t i = low; i-- > 0 && low - i <= LOOK_BACK;) {
		if (addr >= p->code.data[i].end)
			continue;
		*start = p->code.data[i].start;
		return p->code.data[i].name;
	}
	return NULL;
}
