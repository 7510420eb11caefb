// SPDX-License-Identifier: Apache-2.0
/*
 * Answers the queries of tests/stress/fleet from the logs of simulated hosts: what they added and
 * handed over, but for what their senders had not written when they died.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rectab.h"
#include "fleet/tables.h"
#include "hosts.h"

/* Sums by the parts of a key that a query groups by. */
struct sum_key {
	uint64_t a, b;
};

struct sum {
	uint64_t n, rows;
};

struct answers {
	const struct settings *o;
	uint32_t host;
	/* by key; by host; by minute; by bucket; by second; of each table */
	struct rectab key, host_numbers, minute, bucket, second, tables;
	/* by host and bucket; by key and host, of the slow; by minute and bucket; by host and run
	 */
	struct rectab host_bucket, slow, heat, runs;
};

/* ---- reading ---- */

static void add(struct rectab *t, uint64_t a, uint64_t b, uint64_t n)
{
	const struct sum_key key = {a, b};
	int64_t at = rectab_put(t, &key);
	struct sum *s;

	if (at < 0)
		abort(); /* without memory */
	s = rectab_rec(t, (uint32_t)at);
	s->n += n;
	s->rows++;
}

static void add_row(struct answers *w, const struct log_put *p, const struct log_row *r)
{
	uint64_t minute = p->label / 60 * 60;

	add(&w->tables, p->table, 0, r->n);
	if (p->table == FLEET_NUMBERS) {
		add(&w->key, r->key, 0, r->n);
		add(&w->host_numbers, w->host, 0, r->n);
		add(&w->minute, minute, 0, r->n);
		add(&w->second, p->label, 0, r->n);
		return;
	}
	add(&w->bucket, r->bucket, 0, r->n);
	add(&w->host_bucket, w->host, r->bucket, r->n);
	add(&w->heat, minute, r->bucket, r->n);
	if (bucket_low(r->bucket) >= SLOW)
		add(&w->slow, r->key, w->host, r->n);
}

static void *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	void *data = NULL;
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size >= 0)
		data = malloc((size_t)size + 1);
	if (data) {
		rewind(f);
		*len = fread(data, 1, (size_t)size, f);
	}
	if (f)
		fclose(f);
	return data;
}

/* Returns how many rows of run RUN are in batches. */
static uint64_t safe_rows(const char *data, size_t len, uint64_t run)
{
	uint64_t safe = 0;
	struct log_put p;

	for (size_t at = 0; at + sizeof(p) <= len;
		at += sizeof(p) + p.nrows * sizeof(struct log_row)) {
		memcpy(&p, data + at, sizeof(p));
		if (p.table == LOG_RUN && p.run == run)
			safe += p.upto;
	}
	return safe;
}

static int read_log(struct answers *w, const char *path)
{
	size_t len = 0;
	char *data = read_file(path, &len);
	uint64_t run = 0, safe = 0;
	struct log_put p;

	if (!data) {
		perror(path);
		return 1;
	}
	for (size_t at = 0; at + sizeof(p) <= len; at += p.nrows * sizeof(struct log_row)) {
		memcpy(&p, data + at, sizeof(p));
		at += sizeof(p);
		if (p.table == LOG_RUN) {
			if (p.upto)
				add(&w->runs, w->host, p.run, p.upto);
			continue;
		}
		if (p.run != run)
			safe = safe_rows(data, len, p.run);
		run = p.run;
		for (uint32_t i = 0; i < p.nrows && p.upto <= safe; i++) {
			struct log_row r;

			memcpy(&r, data + at + i * sizeof(r), sizeof(r));
			add_row(w, &p, &r);
		}
	}
	free(data);
	return 0;
}

/* ---- writing ---- */

static FILE *open_answer(const struct answers *w, const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/want/%s", w->o->folder, name);
	f = fopen(path, "we");
	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

struct entry {
	struct sum_key key;
	struct sum sum;
};

static int by_key(const void *a, const void *b)
{
	const struct sum_key *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/* Most first, then by key. */
static int by_most(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->sum.n != y->sum.n)
		return x->sum.n > y->sum.n ? -1 : 1;
	return by_key(a, b);
}

static struct entry *sorted(const struct rectab *t, int (*by)(const void *a, const void *b))
{
	struct entry *list = calloc(t->n + 1, sizeof(*list));

	if (!list)
		abort();
	for (uint32_t i = 0; i < t->n; i++) {
		memcpy(&list[i].key, rectab_key(t, i), sizeof(list[i].key));
		memcpy(&list[i].sum, rectab_rec(t, i), sizeof(list[i].sum));
	}
	qsort(list, t->n, sizeof(*list), by);
	return list;
}

enum cells { KEY, HOST, NUMBER, LOW, TEXT_KEY_HOST, NUMBER_LOW, HOST_NUMBER };

static void put_cells(FILE *f, enum cells cells, const struct sum_key *k)
{
	switch (cells) {
	case KEY:
		fprintf(f, KEY_FORMAT, (unsigned)k->a);
		break;
	case HOST:
		fprintf(f, HOST_FORMAT, (unsigned)k->a);
		break;
	case NUMBER:
		fprintf(f, "%" PRIu64, k->a);
		break;
	case LOW:
		fprintf(f, "%" PRId64 "\t%" PRId64, bucket_low((unsigned)k->a),
			bucket_low((unsigned)k->a) * 2 - 1);
		break;
	case TEXT_KEY_HOST:
		fprintf(f, KEY_FORMAT "\t" HOST_FORMAT, (unsigned)k->a, (unsigned)k->b);
		break;
	case NUMBER_LOW:
		fprintf(f, "%" PRIu64 "\t%" PRId64, k->a, bucket_low((unsigned)k->b));
		break;
	case HOST_NUMBER:
		fprintf(f, HOST_FORMAT "\t%" PRIu64, (unsigned)k->a, k->b);
		break;
	}
}

/* A line for each group: its cells, the sum, and with ROWS the number of rows. */
static void put_sums(const struct answers *w, const char *name, const struct rectab *t,
	enum cells cells, bool rows, uint32_t most)
{
	struct entry *list = sorted(t, most ? by_most : by_key);
	FILE *f = open_answer(w, name);

	for (uint32_t i = 0; i < t->n && (!most || i < most); i++) {
		put_cells(f, cells, &list[i].key);
		fprintf(f, "\t%" PRIu64, list[i].sum.n);
		if (rows)
			fprintf(f, "\t%" PRIu64, list[i].sum.rows);
		fputc('\n', f);
	}
	fclose(f);
	free(list);
}

/* quantileExactWeighted(0.99) of the upper bounds of the buckets, by host. */
static void put_p99(const struct answers *w)
{
	struct entry *list = sorted(&w->host_bucket, by_key);
	FILE *f = open_answer(w, "p99");
	uint32_t from, to;

	for (from = 0; from < w->host_bucket.n; from = to) {
		uint64_t all = 0, below = 0, least;
		uint32_t i;

		for (to = from; to < w->host_bucket.n && list[to].key.a == list[from].key.a; to++)
			all += list[to].sum.n;
		least = (uint64_t)((double)all * 0.99);
		least += (double)least < (double)all * 0.99;
		for (i = from; i < to - 1 && below + list[i].sum.n < least; i++)
			below += list[i].sum.n;
		fprintf(f, HOST_FORMAT "\t%" PRId64 "\n", (unsigned)list[from].key.a,
			bucket_low((unsigned)list[i].key.b) * 2 - 1);
	}
	fclose(f);
	free(list);
}

int hosts_answer(const struct settings *o)
{
	struct answers w = {.o = o};
	struct rectab *all[] = {&w.key, &w.host_numbers, &w.minute, &w.bucket, &w.second, &w.tables,
		&w.host_bucket, &w.slow, &w.heat, &w.runs};
	int err = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		rectab_init(all[i], sizeof(struct sum_key), sizeof(struct sum));
	for (uint64_t i = 0; i < o->hosts && !err; i++) {
		char path[512];

		w.host = (uint32_t)(o->first + i);
		snprintf(path, sizeof(path), "%s/log-" HOST_FORMAT, o->folder, w.host);
		err = read_log(&w, path);
	}
	put_sums(&w, "key", &w.key, KEY, true, 0);
	put_sums(&w, "host", &w.host_numbers, HOST, true, 0);
	put_sums(&w, "minute", &w.minute, NUMBER, false, 0);
	put_sums(&w, "bucket", &w.bucket, LOW, true, 0);
	put_sums(&w, "second", &w.second, NUMBER, true, 0);
	put_sums(&w, "slow", &w.slow, TEXT_KEY_HOST, false, 100);
	put_sums(&w, "heat", &w.heat, NUMBER_LOW, false, 0);
	put_sums(&w, "sends", &w.runs, HOST_NUMBER, false, 0);
	put_sums(&w, "rows", &w.tables, NUMBER, true, 0);
	put_p99(&w);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		rectab_fini(all[i]);
	return err;
}
