// SPDX-License-Identifier: Apache-2.0
/*
 * Reads /tmp/perf-PID.map, in which a JIT compiler lists its code: "start size name", in
 * hexadecimal, lines only ever added (tools/perf/Documentation/jit-interface.txt).  PID and /tmp
 * are the process's.
 */
#define _GNU_SOURCE /* O_PATH */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/interrupt.h"
#include "base/invariant.h"
#include "base/living.h"
#include "base/rooted.h"
#include "base/transfer.h"
#include "sym/perfmap.h"

#define AT_ONCE	    (256u << 10) /* bytes that are read of a file; a longer line is none */
#define CHUNK	    (64u << 10)	 /* bytes of names */
#define CHUNK_FIRST 4096	 /* of a map that may stay small */
#define LOOK_BACK   64		 /* older code reaching beyond the start of newer */
#define AROUND	    (2u << 20)	 /* bytes before and after an address that may be code as well */
#define SPANS	    65536	 /* the kernel's limit of mappings */

struct jit {
	uint64_t start, end;
	const char *name;
	uint32_t order;
};

/* A range of addresses. */
struct span {
	uint64_t start, end;
};

HEAPVEC_STRUCT(spans, struct span);

/* A user, and what the maps of all processes of the user have taken. */
struct perfmap_user {
	struct perfmap_user *next;
	uid_t uid;
	size_t text, entries;
	uint64_t read;
};

/* Names, one after the other. */
struct chunk {
	struct chunk *next;
	size_t size, used;
	char text[];
};

struct perfmap {
	pid_t pid;
	struct perfmap_room *room;
	char path[32];	   /* below the process's root folder */
	char own_path[48]; /* ours */
	struct perfmap_user *user;
	struct stat seen;
	off_t parsed;
	bool in_long;  /* what follows is the rest of a line that is too long */
	bool left_out; /* there are lines of addresses outside of the spans */
	struct chunk *chunks;
	size_t text;		  /* bytes of all chunks */
	uint32_t orders;	  /* given so far */
	HEAPVEC(struct jit) code; /* by address */
	struct spans spans;	  /* whose lines are kept, by address; none: all are */
	struct spans fresh;	  /* that came since the file was read */
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

/* Returns the user of process PID, root if nobody knows; NULL: no memory. */
static struct perfmap_user *user_of(struct perfmap_room *room, pid_t pid)
{
	struct perfmap_user *u = room->users;
	struct stat st = {0};
	char proc[32];

	snprintf(proc, sizeof(proc), "/proc/%d", pid);
	if (stat(proc, &st))
		st.st_uid = 0;
	while (u && u->uid != st.st_uid)
		u = u->next;
	if (u)
		return u;
	u = calloc(1, sizeof(*u));
	if (u) {
		u->uid = st.st_uid;
		u->next = room->users;
		room->users = u;
	}
	return u;
}

void perfmap_room_free(struct perfmap_room *room)
{
	for (struct perfmap_user *u = room->users, *next; u; u = next) {
		next = u->next;
		free(u);
	}
	*room = (struct perfmap_room){0};
}

/* Counts entries that are no more. */
static void give_back(struct perfmap *p, size_t entries)
{
	INVARIANT(p->room->entries >= p->user->entries && p->user->entries >= entries);
	p->room->entries -= entries;
	p->user->entries -= entries;
}

struct perfmap *perfmap_new(pid_t pid, struct perfmap_room *room)
{
	struct perfmap *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->pid = pid;
	p->room = room;
	p->user = user_of(room, pid);
	if (!p->user) {
		free(p);
		return NULL;
	}
	snprintf(p->path, sizeof(p->path), "/tmp/perf-%d.map", inner_pid(pid));
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
	INVARIANT(p->room->text >= p->user->text && p->user->text >= p->text);
	p->room->text -= p->text;
	p->user->text -= p->text;
	give_back(p, p->code.len);
	heapvec_free(&p->code);
	heapvec_free(&p->spans);
	heapvec_free(&p->fresh);
	free(p);
}

/*
 * Opens the map.  Anyone can write to /tmp: only a plain file of the process's user or of root is
 * taken, and no link to one.
 */
static int open_map(const struct perfmap *p, struct stat *st)
{
	char root[32];

	snprintf(root, sizeof(root), "/proc/%d/root", living_thread(p->pid));
	for (int own = 0; own < 2; own++) {
		int at = rooted_open(own ? NULL : root, own ? p->own_path : p->path,
			O_PATH | O_NOFOLLOW, 0, ROOTED_LINKS);
		int fd = at < 0 ? -1 : rooted_reopen_regular(at, 0);

		if (at >= 0)
			close(at);
		if (fd < 0)
			continue;
		if (!fstat(fd, st) && S_ISREG(st->st_mode) &&
			(st->st_uid == p->user->uid || st->st_uid == 0))
			return fd;
		close(fd);
	}
	return -1;
}

/* ---- addresses that can be asked for ---- */

/* Returns the index of the first span that ends after ADDR. */
static uint32_t span_after(const struct spans *v, uint64_t addr)
{
	uint32_t low = 0, high = v->len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (v->data[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool spans_meet(const struct spans *v, uint64_t start, uint64_t end)
{
	uint32_t i = span_after(v, start);

	return i < v->len && v->data[i].start < end;
}

/* Adds a span, which takes in those that it meets. */
static void spans_add(struct spans *v, uint64_t start, uint64_t end)
{
	uint32_t i = span_after(v, start ? start - 1 : 0), last = i;

	for (; last < v->len && v->data[last].start <= end; last++) {
		start = v->data[last].start < start ? v->data[last].start : start;
		end = v->data[last].end > end ? v->data[last].end : end;
	}
	if (last == i && (v->len >= SPANS || !heapvec_add(v)))
		return;
	if (last == i)
		memmove(v->data + i + 1, v->data + i, (v->len - 1 - i) * sizeof(*v->data));
	else
		memmove(v->data + i + 1, v->data + last, (v->len - last) * sizeof(*v->data));
	v->len -= last == i ? 0 : last - i - 1;
	v->data[i] = (struct span){start, end};
}

void perfmap_expect(struct perfmap *p, uint64_t start, uint64_t end)
{
	uint32_t i = span_after(&p->spans, start);

	if (start >= end ||
		(i < p->spans.len && p->spans.data[i].start <= start &&
			p->spans.data[i].end >= end))
		return;
	spans_add(&p->fresh, start, end);
}

bool perfmap_expect_near(struct perfmap *p, uint64_t addr)
{
	if (spans_meet(&p->spans, addr, addr + 1) || spans_meet(&p->fresh, addr, addr + 1))
		return false;
	perfmap_expect(p, addr > AROUND ? addr - AROUND : 0,
		addr < UINT64_MAX - AROUND ? addr + AROUND : UINT64_MAX);
	return p->left_out;
}

/* ---- lines ---- */

/* Keeps NAME, of LEN bytes; NULL: there is no room. */
static const char *keep_name(struct perfmap *p, const char *name, size_t len)
{
	struct perfmap_room *room = p->room;
	struct chunk *c = p->chunks;
	char *kept;

	if (!c || c->size - c->used <= len) {
		size_t size = p->text < CHUNK ? CHUNK_FIRST : CHUNK;

		size = len >= size ? len + 1 : size;
		if (p->user->text + size > PERFMAP_TEXT_MOST / 2 ||
			room->text + size > PERFMAP_TEXT_MOST) {
			room->full = true;
			return NULL;
		}
		c = malloc(sizeof(*c) + size);
		if (!c)
			return NULL;
		*c = (struct chunk){.next = p->chunks, .size = size};
		p->chunks = c;
		p->text += size;
		p->user->text += size;
		room->text += size;
	}
	kept = c->text + c->used;
	memcpy(kept, name, len + 1);
	c->used += len + 1;
	return kept;
}

/* AGAIN: the line was read before, and is kept if it is about a fresh span alone. */
static bool is_kept(struct perfmap *p, bool again, uint64_t start, uint64_t end)
{
	bool old = !p->spans.len || spans_meet(&p->spans, start, end);

	if (again)
		return !old && spans_meet(&p->fresh, start, end);
	if (old || spans_meet(&p->fresh, start, end))
		return true;
	p->left_out = true;
	return false;
}

/* Returns false if there is no room for more. */
static bool add_line(struct perfmap *p, bool again, char *line)
{
	struct perfmap_room *room = p->room;
	struct jit j;
	char *end;

	j.start = strtoull(line, &end, 16);
	if (*end != ' ')
		return true;
	j.end = j.start + strtoull(end + 1, &end, 16);
	if (*end != ' ' || !end[1] || j.end <= j.start || !is_kept(p, again, j.start, j.end))
		return true;
	if (p->user->entries >= PERFMAP_CODE_MOST / 2 || room->entries >= PERFMAP_CODE_MOST) {
		room->full = true;
		return false;
	}
	j.name = keep_name(p, end + 1, strlen(end + 1));
	j.order = p->orders++;
	if (!j.name || heapvec_push(&p->code, j))
		return false;
	room->entries++;
	p->user->entries++;
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct jit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Sorts the code, of which the first SORTED are sorted: mostly a few are added to many. */
static void sort_code(struct perfmap *p, uint32_t sorted)
{
	uint32_t n = p->code.len - sorted, i = sorted, to = p->code.len;
	struct jit *v = p->code.data, *added = malloc((n + 1) * sizeof(*v));

	if (!added) {
		qsort(v, p->code.len, sizeof(*v), by_start);
		return;
	}
	memcpy(added, v + sorted, n * sizeof(*v));
	qsort(added, n, sizeof(*v), by_start);
	while (n)
		v[--to] = i && by_start(&v[i - 1], &added[n - 1]) > 0 ? v[--i] : added[--n];
	free(added);
}

/* Removes code in whose place other code was put that is as long. */
static void drop_replaced(struct perfmap *p)
{
	struct jit *v = p->code.data;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->code.len; i++)
		if (i + 1 == p->code.len || v[i + 1].start != v[i].start || v[i + 1].end < v[i].end)
			v[n++] = v[i];
	give_back(p, p->code.len - n);
	p->code.len = n;
}

/* Adds the whole lines of TEXT, LEN bytes and a '\0'; returns the bytes that are done with. */
static size_t add_lines(struct perfmap *p, bool again, char *text, size_t len, bool *full)
{
	char *line = text, *nl;

	for (; (nl = memchr(line, '\n', (size_t)(text + len - line))); line = nl + 1) {
		*nl = '\0';
		if (!p->in_long && !add_line(p, again, line)) {
			*full = true;
			return len;
		}
		p->in_long = false;
	}
	if (line == text && len == AT_ONCE) {
		p->in_long = true;
		return len;
	}
	return (size_t)(line - text);
}

static uint64_t less(uint64_t n, uint64_t by)
{
	return n > by ? n - by : 0;
}

/* Returns how many bytes may be read now: a limit for all files, which grows as time passes. */
static size_t may_read(struct perfmap *p)
{
	struct perfmap_room *room = p->room;
	struct timespec ts;
	uint64_t now, more;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	now = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	more = (now - room->since) * PERFMAP_READ_MS;
	room->since = now;
	room->read = less(room->read, more);
	for (struct perfmap_user *u = room->users; more && u; u = u->next)
		u->read = less(u->read, more / 2);
	if (room->read < PERFMAP_READ_MOST && p->user->read < PERFMAP_READ_MOST / 2)
		return AT_ONCE;
	room->full = true;
	return 0;
}

/* Reads the lines from FROM on, those before END; returns where those begin that were not read. */
static off_t read_lines(struct perfmap *p, bool again, int fd, off_t from, off_t end)
{
	const unsigned requests = interrupt_count();
	const uint32_t sorted = p->code.len;
	char *text = malloc(AT_ONCE + 1);
	bool full = false;

	p->in_long &= !again;
	while (text && from < end && !full && interrupt_count() == requests) {
		size_t want = may_read(p), done;
		ssize_t n;

		if (want > (size_t)(end - from))
			want = (size_t)(end - from);
		n = want ? transfer_pread(fd, text, want, (uint64_t)from) : 0;
		if (n <= 0)
			break;
		p->room->read += (uint64_t)n;
		p->user->read += (uint64_t)n;
		text[n] = '\0';
		done = add_lines(p, again, text, (size_t)n, &full);
		from += (off_t)done;
		if (!done)
			break;
	}
	free(text);
	if (p->code.len > sorted) {
		sort_code(p, sorted);
		drop_replaced(p);
	}
	return full ? end : from;
}

/* Reads what was added to the map FD, of which fstat(2) says ST. */
static void update_from(struct perfmap *p, int fd, const struct stat *st)
{
	bool in_long = p->in_long;

	if (st->st_ino != p->seen.st_ino || st->st_dev != p->seen.st_dev ||
		st->st_size < p->parsed) {
		give_back(p, p->code.len); /* another file; the names of the old one stay */
		p->code.len = 0;
		p->parsed = 0;
		p->in_long = p->left_out = in_long = false;
	}
	if (p->fresh.len && p->left_out && p->spans.len) {
		read_lines(p, true, fd, 0, p->parsed);
		p->in_long = in_long;
	}
	for (uint32_t i = 0; i < p->fresh.len; i++)
		spans_add(&p->spans, p->fresh.data[i].start, p->fresh.data[i].end);
	p->fresh.len = 0;
	if ((st->st_size != p->seen.st_size || !p->parsed) && st->st_size > p->parsed)
		p->parsed = read_lines(p, false, fd, p->parsed, st->st_size);
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
