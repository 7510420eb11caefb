/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drain N TIMES: measures the consumer with a full buffer.  Each of two CPUs calls getppid(2) N/2
 * times while nobody reads; then the consumer prints all records to /dev/null.  Prints thousands of
 * records a second, the fastest of TIMES runs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <dtrace/dtrace.h>

#define PROGRAM \
	"syscall::getppid:entry /arg0 == 4711/ { printf(\"%d %d %s\\n\", pid, arg1, execname); }"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void message(void *arg, const char *text)
{
	fprintf(stderr, "%s\n", text);
}

struct job {
	pthread_t thread;
	long cpu, n;
};

static void *calls(void *arg)
{
	const struct job *job = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = 0; i < job->n; i++)
		syscall(SYS_getppid, 4711, i);
	return NULL;
}

static int burst(long n)
{
	struct job job[2];

	for (long t = 0; t < 2; t++) {
		job[t] = (struct job){.cpu = t % sysconf(_SC_NPROCESSORS_ONLN), .n = n / 2};
		if (pthread_create(&job[t].thread, NULL, calls, &job[t]))
			return -1;
	}
	for (long t = 0; t < 2; t++)
		pthread_join(job[t].thread, NULL);
	return 0;
}

/* Runs until the session ends; it reads the rest of the buffer, as after ^C. */
static int finish(struct dtrace *d, long n, double *rate)
{
	double start = now();
	int r;

	dtrace_session_interrupt(d);
	while ((r = dtrace_session_work(d)) == DTRACE_WORK_OKAY)
		;
	*rate = (double)n / (now() - start) / 1e3;
	return r < 0 || dtrace_session_dropped(d) ? -1 : 0;
}

static int measure(struct dtrace *d, FILE *out, long n, double *rate)
{
	struct dtrace_prog *p;

	dtrace_set_message_handler(d, message, NULL);
	if (dtrace_option_set(d, "bufsize", "64m") || dtrace_option_set(d, "quiet", NULL) ||
		dtrace_output_add(d, "text", out))
		return -1;
	p = dtrace_compile_string(d, PROGRAM, DTRACE_SPEC_NAME);
	if (!p || dtrace_prog_enable(d, p) || dtrace_session_go(d))
		return -1;
	return burst(n) ? -1 : finish(d, n, rate);
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? atol(argv[1]) : 0, times = argc == 3 ? atol(argv[2]) : 0;
	FILE *out = fopen("/dev/null", "w");
	double best = 0, rate = 0;
	int err = out && n ? 0 : -1;

	while (!err && times-- > 0) {
		struct dtrace *d = dtrace_session_open();

		err = d ? measure(d, out, n, &rate) : -1;
		if (d && err)
			fprintf(stderr, "drain: %s\n", dtrace_session_error(d));
		dtrace_session_close(d);
		if (rate > best)
			best = rate;
	}
	if (!err)
		printf("%.0f\n", best);
	return err != 0;
}
