// SPDX-License-Identifier: Apache-2.0
/*
 * Keeps batches in files until they are sent.
 *
 * A file's name says all that the bounds need: TIME-RUN-NUMBER-ROWS-TARGET.batch, decimal and hex
 * numbers of fixed lengths, so that names sort by age.
 */
#include "fleet/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/invariant.h"
#include "base/vec.h"
#include "fleet/tables.h"

#define OLDEST_PART 3600       /* seconds */
#define MOST_MEMORY (8u << 20) /* bytes of batches that could not be written */
#define NAME_FORMAT \
	"%010" PRIu64 "-%016" PRIx64 "-%08" PRIu64 "-%010" PRIu64 "-%016" PRIx64 ".batch"

/* What a name says. */
struct spool_name {
	uint64_t time, run, number, rows, target;
};

struct spool_entry {
	char name[128];
};

struct spool_waiting {
	char name[128];
	struct buf data;
};

struct spool {
	int folder; /* -1 = there is none */
	uint64_t target, run, number;
	struct spool_limits limits;
	struct spool_counts counts;
	HEAPVEC(struct spool_waiting) memory;
	size_t memory_bytes;
	/* the batches of this target when it was last looked for them, by age; AT is the next one
	 */
	HEAPVEC(struct spool_entry) queue;
	uint32_t at;
};

static bool parse_name(const char *name, struct spool_name *n)
{
	char again[128];

	if (sscanf(name, "%" SCNu64 "-%" SCNx64 "-%" SCNu64 "-%" SCNu64 "-%" SCNx64, &n->time,
		    &n->run, &n->number, &n->rows, &n->target) != 5)
		return false;
	snprintf(again, sizeof(again), NAME_FORMAT, n->time, n->run, n->number, n->rows, n->target);
	return !strcmp(again, name);
}

/* ---- the folder ---- */

static int open_folder(const char *path)
{
	struct stat st;
	int fd, err;

	if (mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = 0;
	/* others could take what is sent, or add to it */
	if (fstat(fd, &st) || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS))
		err = -errno;
	else if (st.st_uid != geteuid() || (st.st_mode & 022))
		err = -EPERM;
	if (!err)
		return fd;
	close(fd);
	return err;
}

int spool_open(const char *folder, const char *target, uint64_t run,
	const struct spool_limits *limits, struct spool **out)
{
	struct spool *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return -ENOMEM;
	s->target = fleet_hash(target, strlen(target));
	s->run = run;
	s->limits = *limits;
	s->folder = open_folder(folder);
	if (s->folder >= 0)
		return 0;
	s->counts.error = -s->folder;
	return s->folder;
}

void spool_free(struct spool *s)
{
	if (!s)
		return;
	vec_for (w, &s->memory)
		buf_free(&w->data);
	heapvec_free(&s->memory);
	heapvec_free(&s->queue);
	if (s->folder >= 0)
		close(s->folder);
	free(s);
}

/* Removes a file that a process began and never ended. */
static void sweep(struct spool *s, const char *name)
{
	size_t len = strlen(name);
	struct stat st;

	if (len > 5 && !strcmp(name + len - 5, ".part") &&
		!fstatat(s->folder, name, &st, AT_SYMLINK_NOFOLLOW) &&
		st.st_mtime + OLDEST_PART < time(NULL))
		unlinkat(s->folder, name, 0);
}

/* Calls VISIT for each batch of the folder, in no order. */
static void each(struct spool *s,
	void (*visit)(struct spool *s, void *arg, const char *name, const struct spool_name *n),
	void *arg)
{
	int fd = s->folder < 0 ? -1 : openat(s->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct spool_name n;
	struct dirent *d;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((d = readdir(dir)))
		if (parse_name(d->d_name, &n))
			visit(s, arg, d->d_name, &n);
		else
			sweep(s, d->d_name);
	closedir(dir);
}

/* ---- the bounds ---- */

struct spool_survey {
	uint64_t now, bytes;
	char oldest[128];
	struct spool_name first;
	off_t size; /* of the oldest */
};

static void survey(struct spool *s, void *arg, const char *name, const struct spool_name *n)
{
	struct spool_survey *v = arg;
	struct stat st;

	if (fstatat(s->folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	if (n->time + s->limits.age < v->now) {
		if (!unlinkat(s->folder, name, 0))
			s->counts.dropped += n->rows;
		return;
	}
	v->bytes += (uint64_t)st.st_size;
	if (*v->oldest && strcmp(v->oldest, name) <= 0)
		return;
	snprintf(v->oldest, sizeof(v->oldest), "%s", name);
	v->first = *n;
	v->size = st.st_size;
}

/* Drops old batches until LEN more bytes fit: false if they never will. */
static bool make_room(struct spool *s, uint64_t now, size_t len)
{
	if (len > s->limits.bytes)
		return false;
	for (;;) {
		struct spool_survey v = {.now = now};

		each(s, survey, &v);
		if (v.bytes + len <= s->limits.bytes || !*v.oldest)
			return true;
		if (unlinkat(s->folder, v.oldest, 0)) {
			if (errno != ENOENT) /* another process was faster */
				return false;
		} else {
			s->counts.dropped += v.first.rows;
		}
	}
}

/* ---- adding ---- */

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Writes the file NAME: it appears when it is complete. */
static int write_file(struct spool *s, const char *name, const void *data, size_t len)
{
	char part[140];
	int fd, err;

	snprintf(part, sizeof(part), "%s.part", name);
	fd = openat(s->folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	err = write_all(fd, data, len);
	if (close(fd) && !err)
		err = -errno;
	if (!err && renameat(s->folder, part, s->folder, name))
		err = -errno;
	if (err)
		unlinkat(s->folder, part, 0);
	return err;
}

/* Drops the batches in memory that LEN more bytes leave no room for, and those that are too old. */
static void trim_memory(struct spool *s, uint64_t now, size_t len)
{
	struct spool_name n;

	while (s->memory.len) {
		struct spool_waiting *w = &s->memory.data[0];

		if (!parse_name(w->name, &n))
			return;
		if (s->memory_bytes + len <= MOST_MEMORY && n.time + s->limits.age >= now)
			return;
		s->counts.dropped += n.rows;
		INVARIANT(s->memory_bytes >= w->data.len);
		s->memory_bytes -= w->data.len;
		buf_free(&w->data);
		memmove(w, w + 1, (s->memory.len - 1) * sizeof(*w));
		s->memory.len--;
	}
}

static int keep_in_memory(struct spool *s, const char *name, const void *data, size_t len)
{
	struct spool_waiting *w = heapvec_add(&s->memory);

	if (!w)
		return -ENOMEM;
	snprintf(w->name, sizeof(w->name), "%s", name);
	buf_put(&w->data, data, len);
	if (w->data.failed) {
		buf_free(&w->data);
		s->memory.len--;
		return -ENOMEM;
	}
	s->memory_bytes += len;
	return 0;
}

int spool_add(struct spool *s, uint64_t now, const void *data, size_t len, uint64_t rows)
{
	char name[128];
	int err;

	snprintf(name, sizeof(name), NAME_FORMAT, now, s->run, ++s->number, rows, s->target);
	if (s->folder >= 0) {
		if (!make_room(s, now, len)) {
			s->counts.dropped += rows;
			return 0;
		}
		err = write_file(s, name, data, len);
		s->counts.error = -err;
		if (!err)
			return 0;
	}
	trim_memory(s, now, len);
	if (len > MOST_MEMORY) {
		s->counts.dropped += rows;
		return 0;
	}
	return keep_in_memory(s, name, data, len);
}

/* ---- taking ---- */

/* Adds a batch of this target to the queue; without memory it is found the next time. */
static void queue_up(struct spool *s, void *arg, const char *name, const struct spool_name *n)
{
	struct spool_entry *e = n->target == s->target ? heapvec_add(&s->queue) : NULL;

	if (e)
		snprintf(e->name, sizeof(e->name), "%s", name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct spool_entry *)a)->name, ((const struct spool_entry *)b)->name);
}

static void look_again(struct spool *s, uint64_t now)
{
	struct spool_survey v = {.now = now};

	each(s, survey, &v); /* drops those that are too old */
	s->queue.len = s->at = 0;
	each(s, queue_up, NULL);
	if (s->queue.len)
		qsort(s->queue.data, s->queue.len, sizeof(*s->queue.data), by_name);
}

/* Opens and locks the batch NAME: 0 or -errno. */
static int open_batch(struct spool *s, const char *name, struct spool_batch *b)
{
	char chunk[65536];
	ssize_t n;

	b->fd = openat(s->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (b->fd < 0)
		return -errno;
	if (flock(b->fd, LOCK_EX | LOCK_NB) || faccessat(s->folder, name, F_OK, 0)) {
		close(b->fd);
		return -EBUSY;
	}
	while ((n = read(b->fd, chunk, sizeof(chunk))) > 0)
		buf_put(&b->data, chunk, (size_t)n);
	if (n < 0 || b->data.failed) {
		buf_free(&b->data);
		close(b->fd);
		return -EIO;
	}
	snprintf(b->name, sizeof(b->name), "%s", name);
	return 0;
}

static int take_from_memory(struct spool *s, struct spool_batch *b)
{
	struct spool_waiting *w = s->memory.len ? &s->memory.data[0] : NULL;

	if (!w)
		return 0;
	memcpy(b->name, w->name, sizeof(b->name));
	buf_put(&b->data, w->data.data, w->data.len);
	b->fd = -1;
	if (!b->data.failed)
		return 1;
	buf_free(&b->data);
	return 0;
}

/* Takes the next of the queue that is there and that no other process sends. */
static int take_from_queue(struct spool *s, struct spool_batch *b)
{
	while (s->at < s->queue.len)
		if (!open_batch(s, s->queue.data[s->at++].name, b))
			return 1;
	return 0;
}

int spool_take(struct spool *s, uint64_t now, struct spool_batch *b)
{
	memset(b, 0, sizeof(*b));
	trim_memory(s, now, 0);
	if (take_from_queue(s, b))
		return 1;
	look_again(s, now);
	return take_from_queue(s, b) ? 1 : take_from_memory(s, b);
}

static void forget_memory(struct spool *s, const char *name)
{
	vec_for (w, &s->memory) {
		if (strcmp(w->name, name) != 0)
			continue;
		INVARIANT(s->memory_bytes >= w->data.len);
		s->memory_bytes -= w->data.len;
		buf_free(&w->data);
		memmove(w, w + 1, (size_t)(&s->memory.data[s->memory.len] - (w + 1)) * sizeof(*w));
		s->memory.len--;
		return;
	}
}

void spool_release(struct spool *s, struct spool_batch *b, bool sent)
{
	if (sent && b->fd < 0)
		forget_memory(s, b->name);
	else if (sent)
		unlinkat(s->folder, b->name, 0);
	if (b->fd >= 0)
		close(b->fd);
	buf_free(&b->data);
	memset(b, 0, sizeof(*b));
	b->fd = -1;
}

static void count(struct spool *s, void *arg, const char *name, const struct spool_name *n)
{
	if (n->target != s->target)
		return;
	s->counts.waiting += n->rows;
	s->counts.batches++;
}

uint64_t spool_unwritten(const struct spool *s, uint64_t *batches)
{
	struct spool_name n;
	uint64_t rows = 0;

	*batches = s->memory.len;
	for (uint32_t i = 0; i < s->memory.len; i++)
		if (parse_name(s->memory.data[i].name, &n))
			rows += n.rows;
	return rows;
}

struct spool_counts spool_counts(struct spool *s)
{
	struct spool_name n;

	s->counts.waiting = s->counts.batches = 0;
	each(s, count, NULL);
	vec_for (w, &s->memory) {
		if (!parse_name(w->name, &n))
			continue;
		s->counts.waiting += n.rows;
		s->counts.batches++;
	}
	return s->counts;
}
