// SPDX-License-Identifier: Apache-2.0
/*
 * hosts run NAME=VALUE...: simulates the traced hosts of a fleet.  Each has dtrace's own consumer
 *and sender of --output=clickhouse; only the aggregations that they read are made up.  A line on
 *stdout for each figure, NAME VALUE.
 *
 *	folder=.	where spools and logs go
 *	hosts=20	each a consumer with a sending process of its own
 *	first=0		number of the first host
 *	seconds=15	for which each host adds to its keys, once a second
 *	keys=100	that change each second: half are count(), half have a changed bucket of
 *quantize() seed=1		values, skews and ends follow from it
 *	url=URL,...	of the servers; a host sends to one of them
 *	rate=10000	ms between two batches of a host
 *	skew=0		most seconds that a host's clock is wrong, in both directions
 *	kills=0		senders that are killed, at random moments
 *	again=0		percentage of confirmed batches that are sent once more
 *
 * hosts answer NAME=VALUE...: reads the logs of all hosts in folder= and writes the answer of each
 *query of hosts_answer.c to want/QUERY.
 *
 * The log of a host has what it added, not what the consumer made of it.  Time, the host's name and
 *what becomes of a batch are replaced with ld's --wrap.
 */
#define _GNU_SOURCE
#include "hosts.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dtrace/data.h"
#include "fleet/ship.h"
#include "fleet/spool.h"
#include "decode/decode.h"
#include "formats/writer.h"
#include "formats/writers.h"

#define SECOND 1000000000ull

struct host {
	char name[32], url[256], spool[500];
	struct writer_sending sending;
	int64_t skew; /* ns */
	uint64_t run;
	pid_t sender;
	uint64_t replace; /* second in which its sender, which was killed, gets a successor; 0 */
	uint64_t cpu;	  /* of the sender, ns, when all had started */
	struct writer writer;
	FILE *log;
	/* readings, from the start of the run; what was added since rows were handed over */
	uint64_t counts[KEYS_MOST], count_added[KEYS_MOST];
	uint64_t buckets[KEYS_MOST][BUCKETS], bucket_added[KEYS_MOST][BUCKETS];
	uint64_t handed, refused; /* rows of the run */
};

static struct host *hosts, *current; /* whose code runs */
static struct settings o;
static uint64_t *sent_twice; /* batches, of all senders; shared with them */
static struct {
	uint64_t rows, bytes, lost, kills, wrong;
	uint64_t latest; /* ns that a reading was late */
} figures;

/* ---- what differs from a real host ---- */

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	int res = __real_clock_gettime(clock, t);

	if (!res && clock == CLOCK_REALTIME && current)
		t->tv_sec += current->skew / (int64_t)SECOND;
	return res;
}

time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out)
{
	struct timespec t;

	__wrap_clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int __wrap_gethostname(char *name, size_t len);
int __wrap_gethostname(char *name, size_t len)
{
	snprintf(name, len, "%s", current->name);
	return 0;
}

pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
	pid_t pid = __real_fork();

	if (pid > 0 && current)
		current->sender = pid;
	return pid;
}

/* In the sender: some batches that the server confirmed stay in the spool, and are sent once more.
 */
void __real_spool_release(struct spool *s, struct spool_batch *b, bool sent);
void __wrap_spool_release(struct spool *s, struct spool_batch *b, bool sent);
void __wrap_spool_release(struct spool *s, struct spool_batch *b, bool sent)
{
	bool again = sent && (uint64_t)rand() % 100 < o.again;

	if (again)
		__atomic_add_fetch(sent_twice, 1, __ATOMIC_RELAXED);
	__real_spool_release(s, b, sent && !again);
}

/* ---- logs ---- */

static void complain(const char *what, uint64_t a, uint64_t b)
{
	fprintf(stderr, "%s: %s: %" PRIu64 " %" PRIu64 "\n", current->name, what, a, b);
	figures.wrong++;
}

static void log_row(
	struct log_put *p, struct log_row *rows, unsigned key, unsigned bucket, uint64_t *n)
{
	if (!*n)
		return;
	rows[p->nrows++] = (struct log_row){(uint16_t)key, (uint16_t)bucket, (uint32_t)*n};
	*n = 0;
}

/* Writes what the rows of table T are about, which the consumer labels with second LABEL. */
static void log_put(
	struct host *h, enum fleet_table t, uint64_t nrows, uint64_t label, uint64_t upto)
{
	static struct log_row rows[KEYS_MOST * BUCKETS];
	struct log_put p = {.table = t, .run = h->run, .label = (uint32_t)label, .upto = upto};

	for (unsigned k = 0; k < o.keys / 2; k++) {
		if (t == FLEET_NUMBERS)
			log_row(&p, rows, k, 0, &h->count_added[k]);
		for (unsigned b = 0; b < BUCKETS && t == FLEET_DISTRIBUTIONS; b++)
			log_row(&p, rows, k, b, &h->bucket_added[k][b]);
	}
	if (p.nrows != nrows)
		complain("rows that the consumer made, and that it should", nrows, p.nrows);
	fwrite(&p, sizeof(p), 1, h->log);
	fwrite(rows, sizeof(*rows), p.nrows, h->log);
}

/* Reads the number in column COLUMN of the first row of TEXT. */
static bool read_column(const char *text, unsigned column, uint64_t *out)
{
	for (; column && text; column--) {
		text = strchr(text, '\t');
		text = text ? text + 1 : NULL;
	}
	*out = text ? strtoull(text, NULL, 10) : 0;
	return text;
}

void __real_ship_put(
	struct ship *s, enum fleet_table t, uint64_t rows, const char *text, size_t len);
void __wrap_ship_put(
	struct ship *s, enum fleet_table t, uint64_t rows, const char *text, size_t len);
void __wrap_ship_put(
	struct ship *s, enum fleet_table t, uint64_t rows, const char *text, size_t len)
{
	struct host *h = current;
	uint64_t lost = ship_lost(s), label, now = (uint64_t)__wrap_time(NULL);
	bool refused;

	__real_ship_put(s, t, rows, text, len);
	refused = ship_lost(s) != lost;
	*(refused ? &h->refused : &h->handed) += rows;
	if (t != FLEET_NUMBERS && t != FLEET_DISTRIBUTIONS)
		return;
	figures.rows += rows;
	figures.bytes += len;
	/* prog, agg, ts, ms, host, run */
	/* time(2) can be some milliseconds behind the clock that made the label */
	if (!read_column(text, 2, &label) || label > now + 1 || label + 60 < now)
		complain("the time of a row, and of the host", label, now);
	if (!read_column(text, 5, &h->run))
		complain("a row without a run", rows, len);
	log_put(h, t, rows, label, refused ? LOG_NEVER : h->handed);
}

/* The run has ended: its rows up to a number are in batches. */
void __real_ship_free(struct ship *s);
void __wrap_ship_free(struct ship *s);
void __wrap_ship_free(struct ship *s)
{
	struct host *h = current;
	struct log_put p = {.table = LOG_RUN, .run = h->run};

	if (s) {
		p.upto = h->handed - (ship_lost(s) - h->refused);
		figures.lost += ship_lost(s);
		fwrite(&p, sizeof(p), 1, h->log);
	}
	__real_ship_free(s);
}

/* ---- readings ---- */

struct reading {
	struct table_insides functions;
	const struct host *host;
	const struct dtrace_aggregation *agg;
};

static const struct dtrace_aggregation aggregations[] = {
	{.name = "calls", .id = 1, .function = DTRACE_COUNT, .function_name = "count", .nkeys = 1},
	{.name = "lat",
		.id = 2,
		.function = DTRACE_QUANTIZE,
		.function_name = "quantize",
		.nkeys = 1},
};

static const struct dtrace_row *read_row(const struct dtrace_table *t, unsigned i)
{
	static char text[16];
	static struct dtrace_value key = {
		.kind = DTRACE_KIND_STRING, .type = "string", .size = 16, .bytes = text};
	static struct dtrace_bucket buckets[BUCKETS];
	static struct dtrace_agg_value value;
	static struct dtrace_row row = {.keys = &key, .values = &value};
	const struct reading *r = t->insides;

	key.len = (size_t)snprintf(text, sizeof(text), KEY_FORMAT, i);
	value = (struct dtrace_agg_value){.aggregation = r->agg, .present = true, .normal = 1};
	if (r->agg->function == DTRACE_COUNT) {
		value.words[0] = r->host->counts[i];
		return &row;
	}
	value.buckets = buckets;
	for (unsigned b = 0; b < BUCKETS; b++)
		if (r->host->buckets[i][b])
			buckets[value.nbuckets++] = (struct dtrace_bucket){bucket_low(b),
				bucket_low(b) * 2 - 1, (int64_t)r->host->buckets[i][b]};
	return &row;
}

static void read_aggregations(struct host *h)
{
	const struct dtrace_consumer *c = &h->writer.consumer;
	struct timespec t;
	int err = 0;

	clock_gettime(CLOCK_REALTIME, &t);
	for (unsigned i = 0; i < 2 && !err; i++) {
		const struct reading r = {{read_row, NULL}, h, &aggregations[i]};
		const struct dtrace_table table = {.aggregations = &aggregations[i],
			.naggregations = 1,
			.nrows = o.keys / 2,
			.insides = &r};

		err = c->snapshot(
			c->arg, (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec, &table);
	}
	if (!err)
		err = c->snapshot(c->arg, (uint64_t)t.tv_sec * SECOND, NULL);
	if (err)
		complain("the consumer failed", (uint64_t)-err, 0);
}

/* ---- a host ---- */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static uint64_t random_of(uint64_t host, uint64_t second, uint64_t what)
{
	return mix(mix(mix(o.seed + 1) + host * 0x9e3779b97f4a7c15ull) + second * 1000003 + what);
}

static void say(void *arg, const char *text)
{
	if (o.verbose)
		fprintf(stderr, "%s: %s\n", ((struct host *)arg)->name, text);
}

static void begin_run(struct host *h)
{
	const char *problem = NULL;
	const struct writer_info info = {.version = "1",
		.path = h->url,
		.say = say,
		.say_arg = h,
		.problem = &problem,
		.format = "clickhouse",
		.sending = &h->sending};
	int err;

	memset(h->counts, 0, sizeof(h->counts));
	memset(h->buckets, 0, sizeof(h->buckets));
	memset(h->count_added, 0, sizeof(h->count_added));
	memset(h->bucket_added, 0, sizeof(h->bucket_added));
	h->handed = h->refused = h->run = h->replace = 0;
	current = h;
	err = clickhouse_open(NULL, &info, &h->writer);
	if (err) {
		fprintf(stderr, "%s: %s: %s\n", h->name, problem ? problem : "", strerror(-err));
		exit(1);
	}
}

static void end_run(struct host *h)
{
	current = h;
	if (h->writer.consumer.finish(h->writer.consumer.arg))
		complain("the consumer failed at the end", 0, 0);
	h->writer.release(h->writer.consumer.arg);
}

static void add_values(struct host *h, uint64_t second)
{
	uint64_t number = (uint64_t)(h - hosts) + o.first;

	for (unsigned k = 0; k < o.keys / 2; k++) {
		uint64_t r = random_of(number, second, k), n = 1 + r % 1000;
		unsigned bucket = (unsigned)__builtin_ctzll(r >> 20 | 1u << (BUCKETS - 1));

		h->counts[k] += n;
		h->count_added[k] += n;
		n = 1 + (r >> 32) % 100;
		h->buckets[k][bucket] += n;
		h->bucket_added[k][bucket] += n;
	}
}

static void make_host(struct host *h, unsigned i)
{
	unsigned number = i + (unsigned)o.first, urls = 1, mine;
	const char *url = o.url;
	char path[500];

	for (const char *p = url; *p; p++)
		urls += *p == ',';
	for (mine = number % urls; mine; mine--)
		url = strchr(url, ',') + 1;
	snprintf(h->url, sizeof(h->url), "%.*s", (int)strcspn(url, ","), url);
	snprintf(h->name, sizeof(h->name), HOST_FORMAT, number);
	snprintf(h->spool, sizeof(h->spool), "%s/spool-%s", o.folder, h->name);
	snprintf(path, sizeof(path), "%s/log-%s", o.folder, h->name);
	h->log = fopen(path, "we");
	if (!h->log) {
		perror(path);
		exit(1);
	}
	h->skew = ((int64_t)(random_of(number, 0, 99) % (2 * o.skew + 1)) - (int64_t)o.skew) *
		(int64_t)SECOND;
	h->sending = (struct writer_sending){.interval = SECOND,
		.rate = UINT64_MAX,
		.batch = o.rate * 1000000,
		.limit = 300 * SECOND,
		.program = PROGRAM,
		.spool = h->spool,
		.spool_bytes = 1ull << 30,
		.spool_age = 86400 * SECOND};
	srand((unsigned)random_of(number, 0, 98));
	begin_run(h);
}

/* ---- the run ---- */

static uint64_t monotonic(void)
{
	struct timespec t;

	__real_clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void wait_until(uint64_t when)
{
	uint64_t now = monotonic();

	if (now > when && now - when > figures.latest)
		figures.latest = now - when;
	for (; now < when; now = monotonic())
		usleep((unsigned)((when - now) / 1000 + 1));
}

/* Returns the CPU time of process PID, in ns; 0: it has ended. */
static uint64_t cpu_of(pid_t pid)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llu", &ns) != 1)
		ns = 0;
	fclose(f);
	return ns;
}

/* Adds up the line NAME of smaps_rollup, in kB. */
static uint64_t memory_of(pid_t pid, const char *name)
{
	unsigned long long kb = 0;
	char path[64], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			kb = strtoull(line + strlen(name), NULL, 10);
	if (f)
		fclose(f);
	return kb;
}

static double own_cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Senders die between the second and the last but one second, in the turn of any host. */
static void kill_some(uint64_t second, uint64_t turn)
{
	for (uint64_t i = 0; i < o.kills; i++) {
		uint64_t r = random_of(i, 1, 1000000), victim = (r >> 40) % o.hosts;
		struct host *h = &hosts[victim];

		if (2 + r % (o.seconds - 2) != second || (r >> 20) % o.hosts != turn || h->replace)
			continue;
		kill(h->sender, SIGKILL);
		h->replace = second + 1 + (r >> 50) % 2;
		figures.kills++;
	}
}

static void run_second(uint64_t begin, uint64_t second)
{
	for (uint64_t i = 0; i < o.hosts; i++) {
		struct host *h = &hosts[i];

		wait_until(begin + second * SECOND + i * SECOND / o.hosts);
		kill_some(second, i);
		current = h;
		add_values(h, second);
		read_aggregations(h);
		if (h->replace && h->replace <= second) {
			end_run(h);
			begin_run(h);
		}
	}
}

static void show_figures(double cpu, double seconds)
{
	uint64_t sender = 0, senders = 0, rss = 0, pss = 0;

	for (uint64_t i = 0; i < o.hosts; i++) {
		uint64_t now = cpu_of(hosts[i].sender);

		if (!hosts[i].cpu || now < hosts[i].cpu)
			continue;
		sender += now - hosts[i].cpu;
		senders++;
		rss += memory_of(hosts[i].sender, "Rss:");
		pss += memory_of(hosts[i].sender, "Pss:");
	}
	if (!senders)
		return;
	printf("sender-cpu-percent %.4f\n", (double)sender / 1e7 / seconds / (double)senders);
	printf("sender-rss-kb %" PRIu64 "\nsender-pss-kb %" PRIu64 "\n", rss / senders,
		pss / senders);
	printf("format-cpu-percent %.4f\n", cpu * 100 / seconds / (double)o.hosts);
}

static int run(void)
{
	uint64_t begin = monotonic(), started;
	double cpu;

	hosts = calloc(o.hosts, sizeof(*hosts));
	sent_twice = mmap(NULL, sizeof(*sent_twice), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!hosts || sent_twice == MAP_FAILED)
		return 1;
	for (unsigned i = 0; i < o.hosts; i++)
		make_host(&hosts[i], i);
	printf("start-seconds %.1f\n", (double)(monotonic() - begin) / 1e9);
	printf("ready %" PRIu64 "\n", o.hosts);
	fflush(stdout);
	for (unsigned i = 0; i < o.hosts; i++)
		hosts[i].cpu = cpu_of(hosts[i].sender);
	cpu = own_cpu();
	begin = started = monotonic();
	for (uint64_t second = 1; second <= o.seconds; second++)
		run_second(begin, second);
	show_figures(own_cpu() - cpu, (double)(monotonic() - started) / 1e9);
	printf("rows %" PRIu64 "\nrow-text-bytes %.1f\n", figures.rows,
		(double)figures.bytes / (double)figures.rows);
	printf("readings-late-ms %" PRIu64 "\n", figures.latest / 1000000);
	printf("done %" PRIu64 "\n", o.seconds);
	fflush(stdout);
	begin = monotonic();
	for (uint64_t i = 0; i < o.hosts; i++) {
		end_run(&hosts[i]);
		fclose(hosts[i].log);
	}
	printf("end-seconds %.1f\n", (double)(monotonic() - begin) / 1e9);
	printf("killed %" PRIu64 "\nlost %" PRIu64 "\n", figures.kills, figures.lost);
	printf("twice %" PRIu64 "\n", *sent_twice);
	free(hosts);
	return figures.wrong != 0;
}

/* ---- the command ---- */

static bool take_setting(const char *arg)
{
	static const struct {
		const char *name;
		uint64_t *to;
	} numbers[] = {{"hosts", &o.hosts}, {"first", &o.first}, {"seconds", &o.seconds},
		{"keys", &o.keys}, {"seed", &o.seed}, {"rate", &o.rate}, {"skew", &o.skew},
		{"kills", &o.kills}, {"again", &o.again}, {"verbose", &o.verbose}};
	size_t len = strcspn(arg, "=");

	if (!arg[len])
		return false;
	if (!strncmp(arg, "folder=", 7))
		return snprintf(o.folder, sizeof(o.folder), "%s", arg + 7) < (int)sizeof(o.folder);
	if (!strncmp(arg, "url=", 4)) {
		free(o.url);
		o.url = strdup(arg + 4);
		return true;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char *end;

		if (strlen(numbers[i].name) != len || strncmp(arg, numbers[i].name, len) != 0)
			continue;
		*numbers[i].to = strtoull(arg + len + 1, &end, 10);
		return !*end;
	}
	return false;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1, answer = ok && !strcmp(argv[1], "answer");
	int status;

	o = (struct settings){
		.folder = ".", .hosts = 20, .seconds = 15, .keys = 100, .seed = 1, .rate = 10000};
	ok = answer || (ok && !strcmp(argv[1], "run"));
	for (int i = 2; i < argc && ok; i++) {
		ok = take_setting(argv[i]);
		if (!ok)
			fprintf(stderr, "hosts: %s: no such setting\n", argv[i]);
	}
	if (!ok || (!answer && !o.url) || !o.hosts || o.seconds < 3 || o.keys < 2 ||
		o.keys > 2 * KEYS_MOST) {
		fprintf(stderr, "hosts run|answer NAME=VALUE...; url= is needed for run\n");
		return 2;
	}
	status = answer ? hosts_answer(&o) : run();
	free(o.url);
	return status;
}
