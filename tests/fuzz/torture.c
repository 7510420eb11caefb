// SPDX-License-Identifier: Apache-2.0
/*
 * torture [-d DTRACE] [-t CALLS] [-s SEED] [-n PROGRAMS] [-S SECONDS] [-z SIZE] [-j JOBS]
 *	[-o FOLDER] [-x FEATURE,...] [-r RUNS] [-g]
 *
 * Random D programs through dtrace: each must compile, load, and print what eval.c says.  One
 * that does not is made smaller in RUNS runs at most and kept in FOLDER, as NUMBER.d, .want and
 * .got.  A program is what one seed makes, and each is run by a dtrace of its own; those whose
 * result the language does not define are neither run nor counted.  FEATUREs are left out; -x ""
 *also tries what is known to fail.  -g only prints the program of SEED and what is expected of it.
 *CALLS is tests/live/triggers/calls. The status is 0 when all is well.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

static const char *const verdicts[] = {[GOOD] = "good",
	[REFUSED] = "refused by the compiler",
	[UNLOADABLE] = "not loadable",
	[WRONG] = "wrong output",
	[CRASHED] = "crash or hang",
	[UNDEFINED] = "of no defined result"};

static struct {
	const char *dtrace, *calls, *folder, *off;
	unsigned size, seconds, programs, jobs, runs;
	bool show;
} opt = {.off = "", /* of what the generator can make */
	.dtrace = "dtrace",
	.size = 30,
	.jobs = 1,
	.runs = 600};

void result_free(struct result *r)
{
	free(r->out);
	free(r->err);
	free(r->want);
}

/* ---- running ---- */

static char *slurp(int fd)
{
	size_t len = 0, room = 4096;
	char *b = malloc(room + 1);

	for (;;) {
		ssize_t n = pread(fd, b + len, room - len, (off_t)len);

		if (n <= 0)
			break;
		len += (size_t)n;
		if (len == room)
			b = realloc(b, (room *= 2) + 1);
	}
	b[len] = '\0';
	return b;
}

/* The exit status; 128 and more: a signal, or time is up. */
static int wait_for(pid_t pid, int seconds)
{
	struct timespec pause = {.tv_nsec = 1000000};
	int status;

	for (int ms = 0; ms < seconds * 1000; ms++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return 255;
}

static int run(const char *script, const struct program *p, char **out, char **err)
{
	char sizes[40], scratch[40], bound[40], nspec[40], command[4096];
	const char *argv[16] = {opt.dtrace, "-q", "-x", sizes, "-x", scratch, "-x", bound, "-x",
		nspec, "-s", script};
	FILE *o = tmpfile(), *e = tmpfile();
	int status;
	pid_t pid;

	snprintf(sizes, sizeof(sizes), "strsize=%u", p->strsize);
	snprintf(scratch, sizeof(scratch), "scratchsize=%u", p->scratchsize);
	snprintf(bound, sizeof(bound), "loopbound=%u", p->loopbound);
	snprintf(nspec, sizeof(nspec), "nspec=%u", p->nspec);
	if (p->ncalls) {
		snprintf(command, sizeof(command), "%s getppid %u", opt.calls, p->ncalls);
		argv[12] = "-c";
		argv[13] = command;
	}
	if (!o || !e)
		abort();
	pid = fork();
	if (!pid) {
		dup2(fileno(o), 1);
		dup2(fileno(e), 2);
		execvp(opt.dtrace, (char *const *)argv);
		_exit(127);
	}
	status = wait_for(pid, 30);
	*out = slurp(fileno(o));
	*err = slurp(fileno(e));
	fclose(o);
	fclose(e);
	return status;
}

/* ---- comparing ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A line of a distribution as "[label]=count "; nothing for a count of 0. */
static bool bucket(const char *line, FILE *out)
{
	const char *end = line + strlen(line), *count, *bar = strchr(line, '|');

	if (end - line < 59 || !bar)
		return false;
	while (end > line && end[-1] == ' ')
		end--;
	while (end > line && (end[-1] == '-' || (end[-1] >= '0' && end[-1] <= '9')))
		end--;
	count = end;
	while (end > line && strchr(" @|", end[-1]))
		end--;
	if (end > bar)
		return false;
	line += strspn(line, " ");
	if (!strncmp(line, "abs() ", 6))
		line += 6;
	if (atoll(count))
		fprintf(out, "[%.*s]=%lld ", (int)(end - line), line, atoll(count));
	return true;
}

/*
 * True if LINE, without columns, is of print(): "(type)value,", ".member = ", "[2] = ", "]", "...".
 */
static bool is_value(const char *line)
{
	line += strspn(line, " ");
	return strchr("(.[]}", *line) || !strncmp(line, "0x", 2);
}

/*
 * Output whose order and layout do not matter here is brought into one form: first what
 * ordinary clauses print, then ERROR clauses', then aggregations, a line a row, sorted.
 */
static char *canonical(char *text)
{
	char *all = NULL, *rows_text = NULL, *result, *lines[20000], *line, *save = NULL;
	size_t len, rows_len, nrows = 0;
	FILE *plain, *errors, *rows;
	char *errors_text = NULL;
	size_t errors_len;
	bool in_row = false, in_error = false;

	plain = open_memstream(&all, &len);
	errors = open_memstream(&errors_text, &errors_len);
	rows = open_memstream(&rows_text, &rows_len);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (*line && is_value(line) && !in_row) {
			continue;
		} else if (*line == '@') {
			fprintf(rows, "%s%s", in_row ? "\n" : "", line);
			in_row = true;
		} else if (in_row && (bucket(line, rows) || strstr(line, "- Distribution -"))) {
			continue;
		} else if (*line == 'F') { /* rounds of foreach come in any order */
			fprintf(rows, "%s%s\n", in_row ? "\n" : "", line);
			in_row = false;
		} else if (*line == 'E' || (*line == ' ' && in_error)) {
			in_error = true;
			fprintf(errors, "%s\n", line);
		} else if (strspn(line, " ") != strlen(line)) {
			in_error = false;
			fprintf(plain, "%s\n", line);
		}
	}
	fclose(plain);
	fclose(errors);
	fclose(rows);
	result = NULL;
	plain = open_memstream(&result, &len);
	fputs(all, plain);
	fputs(errors_text, plain);
	for (line = strtok_r(rows_text, "\n", &save); line && nrows < 20000;
		line = strtok_r(NULL, "\n", &save))
		lines[nrows++] = line;
	qsort(lines, nrows, sizeof(lines[0]), by_text);
	for (size_t i = 0; i < nrows; i++) {
		size_t n = strlen(lines[i]);

		while (n && lines[i][n - 1] == ' ')
			n--;
		/* a distribution whose increments cancel out may or may not be shown */
		if (lines[i][n - 1] != ':')
			fprintf(plain, "%.*s\n", (int)n, lines[i]);
	}
	fclose(plain);
	free(all);
	free(errors_text);
	free(rows_text);
	return result;
}

/* "dt_clause_3: divide-by-zero" for each fault; other lines as they are. */
static char *faults(const char *err)
{
	char *out = NULL, *copy = strdup(err), *save = NULL;
	int failed = 0;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *clause = strstr(line, "dt_clause_"), *phrase = strstr(line, "): ");
		char *where = phrase ? strstr(phrase, " in action #") : NULL;

		if (strstr(line, "in ERROR probe enabling") || strstr(line, " in all: "))
			continue;
		char *address, *drop = strstr(line, " failed speculation");

		while (drop && drop > line && drop[-1] != ' ')
			drop--;
		if (drop) {
			failed += atoi(drop);
			continue;
		}
		if (phrase && !where)
			where = strstr(phrase, " in predicate");
		if (where)
			*where = '\0';
		address = phrase ? strstr(phrase, " (0x") : NULL;
		if (address && strstr(phrase, "invalid size"))
			*address = '\0';
		else if (address && strtoull(address + 2, NULL, 16) + 65536 >= 2 * 65536)
			strcpy(address, " (0x#)");
		if (clause && phrase)
			fprintf(f, "%.*s: %s\n", (int)strcspn(clause, " "), clause, phrase + 3);
		else
			fprintf(f, "%s\n", line);
	}
	if (failed)
		fprintf(f, "%d failed speculations\n", failed);
	fclose(f);
	free(copy);
	return out;
}

/* A message with its numbers left out. */
static void sign(struct result *r, const char *message)
{
	size_t n = 0;

	for (; *message && *message != '\n' && n < sizeof(r->signature) - 1; message++) {
		if (*message >= '0' && *message <= '9') {
			if (!n || r->signature[n - 1] != '#')
				r->signature[n++] = '#';
		} else {
			r->signature[n++] = *message;
		}
	}
	r->signature[n] = '\0';
}

/* The verifier's last word, which comes before its "processed N insns", or dtrace's. */
static const char *complaint(const char *err)
{
	const char *end = strstr(err, "BPF: processed "), *at = end;

	if (!end || end < err + 2)
		return strstr(err, "dtrace: ");
	for (at = end - 1; at > err && at[-1] != '\n'; at--)
		;
	return at;
}

void judge(struct program *p, const char *script, struct result *r)
{
	char *want_out = NULL, *want_err = NULL, *got, *got_err;
	size_t len, elen;
	FILE *f = fopen(script, "w"), *o = open_memstream(&want_out, &len);
	FILE *e = open_memstream(&want_err, &elen);
	int status;

	memset(r, 0, sizeof(*r));
	program_mark(p);
	program_print(p, f);
	fclose(f);
	r->verdict = program_eval(p, o, e) ? UNDEFINED : GOOD;
	fclose(o);
	fclose(e);
	if (r->verdict == UNDEFINED) {
		free(want_out);
		free(want_err);
		return;
	}
	status = run(script, p, &r->out, &r->err);
	if (status == 127) {
		fprintf(stderr, "cannot run %s\n", opt.dtrace);
		exit(2);
	}
	if (status >= 124) {
		r->verdict = CRASHED;
		snprintf(r->signature, sizeof(r->signature), "status %d", status);
	} else if (strstr(r->err, "could not enable tracing") ||
		strstr(r->err, "failed to enable")) {
		r->verdict = UNLOADABLE;
		sign(r, complaint(r->err));
	} else if (status) {
		r->verdict = REFUSED;
		sign(r, strstr(r->err, "line ") ? strstr(r->err, "line ") : r->err);
	} else {
		got = canonical(r->out);
		got_err = faults(r->err);
		r->want = malloc(strlen(want_out) + strlen(want_err) + 16);
		{
			char *c = canonical(want_out);

			sprintf(r->want, "%s-- faults\n%s", c, want_err);
			free(c);
		}
		free(r->out);
		r->out = malloc(strlen(got) + strlen(got_err) + 16);
		sprintf(r->out, "%s-- faults\n%s", got, got_err);
		r->verdict = strcmp(r->out, r->want) ? WRONG : GOOD;
		free(got);
		free(got_err);
	}
	free(want_out);
	free(want_err);
}

/* ---- all of it ---- */

static void keep(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (f) {
		fputs(text ? text : "", f);
		fclose(f);
	}
}

static void print_options(FILE *f, const struct program *p)
{
	fprintf(f, "-x strsize=%u -x scratchsize=%u -x loopbound=%u -x nspec=%u", p->strsize,
		p->scratchsize, p->loopbound, p->nspec);
	if (p->ncalls)
		fprintf(f, " -c 'calls getppid %u'", p->ncalls);
	putc('\n', f);
}

static void report(struct program *p, uint64_t seed, struct result *r, const char *script)
{
	char *all = NULL;
	size_t len;
	FILE *f, *out = open_memstream(&all, &len);

	program_shrink(p, script, r, opt.runs);
	fprintf(out, "-- torture -s %llu -n 1 -z %u: %s: %s\n", (unsigned long long)seed, opt.size,
		verdicts[r->verdict], r->signature);
	print_options(out, p);
	program_print(p, out);
	if (r->verdict == WRONG)
		fprintf(out, "-- wanted:\n%s-- got:\n%s", r->want, r->out);
	else
		fprintf(out, "-- said:\n%s",
			strlen(r->err) > 1500 ? r->err + strlen(r->err) - 1500 : r->err);
	fclose(out);
	fwrite(all, 1, len, stdout);
	fflush(stdout);
	free(all);
	if (!opt.folder)
		return;
	mkdir(opt.folder, 0755);
	f = fopen(arena_printf("%s/%llu.d", opt.folder, (unsigned long long)seed), "w");
	if (f) {
		program_print(p, f);
		fputs("/* ", f);
		print_options(f, p);
		fputs(" */\n", f);
		fclose(f);
	}
	keep(arena_printf("%s/%llu.want", opt.folder, (unsigned long long)seed), r->want);
	keep(arena_printf("%s/%llu.got", opt.folder, (unsigned long long)seed),
		r->verdict == WRONG ? r->out : r->err);
}

/* Returns how often this failure was seen before. */
static unsigned seen(const struct result *r)
{
	static struct {
		char signature[160];
		enum verdict verdict;
		unsigned n;
	} known[200];
	unsigned i;

	for (i = 0; i < 199 && known[i].n; i++)
		if (known[i].verdict == r->verdict && !strcmp(known[i].signature, r->signature))
			break;
	strcpy(known[i].signature, r->signature);
	known[i].verdict = r->verdict;
	return known[i].n++;
}

static void show(uint64_t seed)
{
	struct program *p = program_generate(seed, opt.size, opt.off);
	const char *why;

	program_mark(p);
	program_print(p, stdout);
	printf("-- expected with ");
	print_options(stdout, p);
	why = program_eval(p, stdout, stdout);
	if (why)
		printf("-- not defined: %s\n", why);
}

/* Every JOBS-th seed from SEED on, until enough were run. */
static void work(uint64_t seed, unsigned programs, time_t end, unsigned *count)
{
	char script[4096];
	int fd;

	snprintf(script, sizeof(script), "%s/torture.XXXXXX.d",
		getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	fd = mkstemps(script, 2);
	if (fd < 0) {
		perror(script);
		exit(2);
	}
	close(fd);
	for (unsigned total = 0; programs ? total < programs : time(NULL) < end; seed += opt.jobs) {
		struct program *p = program_generate(seed, opt.size, opt.off);
		struct result r;

		if (p->ncalls && !opt.calls)
			p->ncalls = 0;
		judge(p, script, &r);
		total += r.verdict != UNDEFINED;
		count[r.verdict]++;
		if (r.verdict != GOOD && r.verdict != UNDEFINED &&
			seen(&r) < (r.verdict == WRONG ? 8 : 1))
			report(p, seed, &r, script);
		result_free(&r);
		arena_reset();
	}
	unlink(script);
}

/* A process of its own that leaves its counts in the pipe FD. */
static void start(uint64_t seed, unsigned programs, time_t end, int fd)
{
	unsigned count[NVERDICTS] = {0};

	if (fork())
		return;
	work(seed, programs, end, count);
	if (write(fd, count, sizeof(count)) != sizeof(count))
		_exit(2);
	_exit(0);
}

static void options(int argc, char **argv, uint64_t *seed)
{
	int o;

	while ((o = getopt(argc, argv, "d:t:s:n:S:z:o:j:x:r:g")) != -1) {
		switch (o) {
		case 'd':
			opt.dtrace = optarg;
			break;
		case 't':
			opt.calls = optarg;
			break;
		case 's':
			*seed = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			opt.programs = (unsigned)atoi(optarg);
			break;
		case 'S':
			opt.seconds = (unsigned)atoi(optarg);
			break;
		case 'z':
			opt.size = (unsigned)atoi(optarg);
			break;
		case 'o':
			opt.folder = optarg;
			break;
		case 'j':
			opt.jobs = (unsigned)atoi(optarg);
			break;
		case 'x':
			opt.off = optarg;
			break;
		case 'r':
			opt.runs = (unsigned)atoi(optarg);
			break;
		case 'g':
			opt.show = true;
			break;
		default:
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	unsigned count[NVERDICTS] = {0}, total = 0, one[NVERDICTS], dead;
	uint64_t seed = 1;
	int fd[2];

	options(argc, argv, &seed);
	if (opt.show) {
		show(seed);
		return 0;
	}
	if (!opt.jobs || pipe(fd)) {
		fputs("torture: no jobs\n", stderr);
		return 2;
	}
	for (unsigned i = 0; i < opt.jobs; i++)
		start(seed + i, (opt.programs + opt.jobs - 1 - i) / opt.jobs,
			time(NULL) + opt.seconds, fd[1]);
	close(fd[1]);
	for (dead = opt.jobs; read(fd[0], one, sizeof(one)) == sizeof(one); dead--)
		for (unsigned v = 0; v < NVERDICTS; v++)
			count[v] += one[v];
	while (wait(NULL) > 0)
		;
	for (unsigned v = 0; v < UNDEFINED; v++)
		total += count[v];
	printf("%u programs from seed %llu:", total, (unsigned long long)seed);
	for (unsigned v = 0; v < NVERDICTS; v++)
		printf("%s %u %s",
			!v			 ? ""
				: v == UNDEFINED ? "; not run:"
						 : ",",
			count[v], verdicts[v]);
	putchar('\n');
	if (dead)
		printf("%u jobs died\n", dead);
	return dead || !total || total != count[GOOD];
}
