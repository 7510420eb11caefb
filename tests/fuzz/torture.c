// SPDX-License-Identifier: Apache-2.0
/*
 * torture [-d DTRACE] [-t CALLS] [-s SEED] [-n PROGRAMS] [-S SECONDS] [-z SIZE] [-o FOLDER] [-g]
 *
 * Random D programs through dtrace: each must compile, load, and print what eval.c says.  One
 * that does not is made smaller and kept in FOLDER, as NUMBER.d, .want and .got.  -g only prints
 * the program of SEED and what is expected of it.  CALLS is tests/live/triggers/calls.
 * The status is 0 when all is well.
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

#include "program.h"

enum verdict { GOOD, REFUSED, UNLOADABLE, WRONG, CRASHED, NVERDICTS };

static const char *const verdicts[] = {[GOOD] = "good",
	[REFUSED] = "refused by the compiler",
	[UNLOADABLE] = "not loadable",
	[WRONG] = "wrong output",
	[CRASHED] = "crash or hang"};

static struct {
	const char *dtrace, *calls, *folder;
	unsigned size, seconds, programs;
	bool show;
} opt = {.dtrace = "dtrace", .size = 30};

struct result {
	enum verdict verdict;
	char *out, *err, *want; /* malloc()ed */
	char signature[160];
};

static void result_free(struct result *r)
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
	char sizes[40], command[4096];
	const char *argv[12] = {opt.dtrace, "-q", "-x", sizes, "-s", script};
	FILE *o = tmpfile(), *e = tmpfile();
	int status;
	pid_t pid;

	snprintf(sizes, sizeof(sizes), "strsize=%u", p->strsize);
	if (p->ncalls) {
		snprintf(command, sizeof(command), "%s getppid %u", opt.calls, p->ncalls);
		argv[6] = "-c";
		argv[7] = command;
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
	bool in_row = false;

	plain = open_memstream(&all, &len);
	errors = open_memstream(&errors_text, &errors_len);
	rows = open_memstream(&rows_text, &rows_len);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (*line == '@') {
			fprintf(rows, "%s%s", in_row ? "\n" : "", line);
			in_row = true;
		} else if (in_row && (bucket(line, rows) || strstr(line, "- Distribution -"))) {
			continue;
		} else if (*line == 'E') {
			fprintf(errors, "%s\n", line);
		} else if (strspn(line, " ") != strlen(line)) {
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
	size_t len;
	FILE *f = open_memstream(&out, &len);

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *clause = strstr(line, "dt_clause_"), *phrase = strstr(line, "): ");
		char *pc = strstr(line, " at BPF pc");

		if (strstr(line, "in ERROR probe enabling"))
			continue;
		if (pc)
			*pc = '\0';
		if (clause && phrase)
			fprintf(f, "%.*s: %s\n", (int)strcspn(clause, " "), clause, phrase + 3);
		else
			fprintf(f, "%s\n", line);
	}
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

static void judge(struct program *p, const char *script, struct result *r)
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
	program_eval(p, o, e);
	fclose(o);
	fclose(e);
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

/* ---- shrinking ---- */

struct shrinker {
	struct program *p;
	const char *script;
	struct result *best;
	unsigned runs;
	bool progress;
};

/* Whether the program as it is now still fails in the same way; keeps it then. */
static bool still(struct shrinker *s)
{
	struct result r;

	if (!program_mark(s->p) || s->runs >= 1500)
		return false;
	s->runs++;
	judge(s->p, s->script, &r);
	if (r.verdict != s->best->verdict || strcmp(r.signature, s->best->signature)) {
		result_free(&r);
		return false;
	}
	result_free(s->best);
	*s->best = r;
	s->progress = true;
	return true;
}

static bool try_node(struct shrinker *s, struct node **place, struct node *with)
{
	struct node *old = *place;

	*place = with;
	if (still(s))
		return true;
	*place = old;
	program_mark(s->p);
	return false;
}

static void smaller(void *arg, struct node **place, const struct ty *want)
{
	struct shrinker *s = arg;
	struct node *n = *place, *plain;

	if (n->kind == N_INT || n->kind == N_STR)
		return;
	plain = arena(sizeof(*plain));
	plain->kind = want->size ? N_INT : N_STR;
	plain->type = &types[want->size ? T_INT : T_STRING];
	plain->value = 1;
	plain->text = want->size ? "1" : "x";
	if (try_node(s, place, plain))
		return;
	if (n->kind == N_VAR)
		return;
	for (unsigned i = 0; i < n->nkids; i++)
		if (!n->kid[i]->type->size == !want->size && try_node(s, place, n->kid[i])) {
			smaller(arg, place, want);
			return;
		}
}

static void shrink_args(struct shrinker *s, struct stmt *st)
{
	for (unsigned i = 0; st->kind == S_PRINTF && i < st->n && st->n > 1; i++) {
		struct stmt old = *st;

		for (unsigned k = i; k + 1 < st->n; k++) {
			st->arg[k] = st->arg[k + 1];
			st->conv[k] = st->conv[k + 1];
		}
		st->n--;
		if (still(s))
			i--;
		else
			*st = old;
	}
}

static void shrink_flag(struct shrinker *s, bool *flag)
{
	if (*flag)
		return;
	*flag = true;
	if (!still(s))
		*flag = false;
}

static void shrink(struct shrinker *s)
{
	struct program *p = s->p;

	do {
		s->progress = false;
		for (unsigned c = p->nclauses; c-- > 0;)
			shrink_flag(s, &p->clause[c].dead);
		for (unsigned c = 0; c < p->nclauses; c++) {
			struct clause *cl = &p->clause[c];

			if (cl->dead)
				continue;
			for (unsigned i = cl->nstmts; i-- > 0;)
				shrink_flag(s, &cl->stmt[i].dead);
			if (cl->predicate) {
				struct node *old = cl->predicate;

				cl->predicate = NULL;
				if (!still(s))
					cl->predicate = old;
			}
			for (unsigned i = 0; i < cl->nstmts; i++)
				if (!cl->stmt[i].dead)
					shrink_args(s, &cl->stmt[i]);
		}
		program_walk(p, smaller, s);
		if (p->strsize != 256) {
			unsigned old = p->strsize;

			p->strsize = 256;
			if (!still(s))
				p->strsize = old;
		}
	} while (s->progress && s->runs < 1500);
	program_mark(p);
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

static void report(struct program *p, uint64_t seed, struct result *r, const char *script)
{
	struct shrinker s = {p, script, r, 0, false};
	FILE *f;

	shrink(&s);
	printf("-- seed %llu (-z %u): %s: %s\n", (unsigned long long)seed, opt.size,
		verdicts[r->verdict], r->signature);
	printf("-x strsize=%u", p->strsize);
	if (p->ncalls)
		printf(" -c 'calls getppid %u'", p->ncalls);
	putchar('\n');
	program_mark(p);
	program_print(p, stdout);
	if (r->verdict == WRONG)
		printf("-- wanted:\n%s-- got:\n%s", r->want, r->out);
	else
		printf("-- said:\n%s",
			strlen(r->err) > 1500 ? r->err + strlen(r->err) - 1500 : r->err);
	fflush(stdout);
	if (!opt.folder)
		return;
	mkdir(opt.folder, 0755);
	f = fopen(arena_printf("%s/%llu.d", opt.folder, (unsigned long long)seed), "w");
	if (f) {
		program_print(p, f);
		fclose(f);
	}
	keep(arena_printf("%s/%llu.want", opt.folder, (unsigned long long)seed), r->want);
	keep(arena_printf("%s/%llu.got", opt.folder, (unsigned long long)seed),
		r->verdict == WRONG ? r->out : r->err);
}

/* How often this failure was seen before. */
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
	struct program *p = program_generate(seed, opt.size);

	program_mark(p);
	program_print(p, stdout);
	printf("-- expected, strsize %u\n", p->strsize);
	program_eval(p, stdout, stdout);
}

int main(int argc, char **argv)
{
	unsigned count[NVERDICTS] = {0}, failures = 0, total = 0;
	char script[4096];
	uint64_t seed = 1;
	time_t end;
	int o;

	while ((o = getopt(argc, argv, "d:t:s:n:S:z:o:g")) != -1) {
		if (o == 'd')
			opt.dtrace = optarg;
		else if (o == 't')
			opt.calls = optarg;
		else if (o == 's')
			seed = strtoull(optarg, NULL, 0);
		else if (o == 'n')
			opt.programs = (unsigned)atoi(optarg);
		else if (o == 'S')
			opt.seconds = (unsigned)atoi(optarg);
		else if (o == 'z')
			opt.size = (unsigned)atoi(optarg);
		else if (o == 'o')
			opt.folder = optarg;
		else if (o == 'g')
			opt.show = true;
		else
			return 2;
	}
	if (opt.show) {
		show(seed);
		return 0;
	}
	snprintf(script, sizeof(script), "%s/torture.XXXXXX.d",
		getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	o = mkstemps(script, 2);
	if (o < 0) {
		perror(script);
		return 2;
	}
	close(o);
	end = time(NULL) + opt.seconds;
	for (; (opt.programs && total < opt.programs) || (opt.seconds && time(NULL) < end);
		seed++) {
		struct program *p = program_generate(seed, opt.size);
		struct result r;

		if (p->ncalls && !opt.calls)
			p->ncalls = 0;
		judge(p, script, &r);
		total++;
		count[r.verdict]++;
		if (r.verdict != GOOD) {
			failures++;
			if (seen(&r) < (r.verdict == WRONG ? 8 : 1))
				report(p, seed, &r, script);
		}
		result_free(&r);
		arena_reset();
	}
	unlink(script);
	printf("%u programs:", total);
	for (unsigned v = 0; v < NVERDICTS; v++)
		printf("%s %u %s", v ? "," : "", count[v], verdicts[v]);
	putchar('\n');
	return failures != 0;
}
