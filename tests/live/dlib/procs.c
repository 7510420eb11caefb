/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -pthread */
/*
 * procs: a process with a session, a terminal, users, threads and limits of its own hands what
 * /proc and the C library say of it to getppid(2), as the address of a struct expect.
 *
 *	procs one two	its arguments are of no further meaning
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define BIG (24 << 20)

static char *volatile big; /* the compiler may not leave it out */

static struct expect {
	long pid, ppid, pgid, sid, tid;
	long uid, euid, gid, egid;
	long nlwp, argc, argv, envp;
	long size, rss, nice, cpu;
	long tty_major, tty_minor;
	long start; /* ticks of 10 ms */
} expect;

static pthread_barrier_t barrier;

static long cpu_ms(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
		(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

static void burn(void)
{
	while (cpu_ms(RUSAGE_SELF) < 120)
		;
}

/* Fields of /proc/self/stat, counted as proc(5) does, behind the name. */
static void read_stat(void)
{
	char text[1024], *p;
	FILE *f = fopen("/proc/self/stat", "r");
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	fclose(f);
	text[n] = '\0';
	p = strrchr(text, ')') + 2;
	for (int field = 3; field <= 49; field++, p = strchr(p, ' ') + 1) {
		switch (field) {
		case 4:
			expect.ppid = atol(p);
			break;
		case 5:
			expect.pgid = atol(p);
			break;
		case 6:
			expect.sid = atol(p);
			break;
		case 19:
			expect.nice = atol(p);
			break;
		case 20:
			expect.nlwp = atol(p);
			break;
		case 22:
			expect.start = atol(p);
			break;
		case 48:
			expect.argv = atol(p);
			break;
		}
	}
	expect.envp = atol(p); /* 50 */
}

static void read_sizes(void)
{
	char text[128] = ""; /* a stream could allocate memory */
	int fd = open("/proc/self/statm", O_RDONLY);

	if (read(fd, text, sizeof(text) - 1) <= 0 ||
		sscanf(text, "%ld %ld", &expect.size, &expect.rss) != 2)
		exit(1);
	close(fd);
	expect.size *= sysconf(_SC_PAGESIZE) / 1024;
	expect.rss *= sysconf(_SC_PAGESIZE) / 1024;
}

static void tell(const char *what)
{
	expect.tid = syscall(SYS_gettid);
	read_stat();
	read_sizes();
	syscall(SYS_getppid, &expect, what);
}

static void *thread(void *arg)
{
	struct sched_param none = {0};
	cpu_set_t set;

	(void)arg;
	prctl(PR_SET_NAME, "procs-thread");
	CPU_ZERO(&set);
	CPU_SET(expect.cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_setscheduler(0, SCHED_IDLE, &none);
	pthread_barrier_wait(&barrier);
	tell("thread");
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* The first terminal that a session leader opens becomes its own. */
static void get_terminal(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	struct stat st;

	expect.tty_major = 4095;
	expect.tty_minor = 0xfffff;
	if (fd < 0 || grantpt(fd) || unlockpt(fd))
		return;
	fd = open(ptsname(fd), O_RDWR);
	if (fd < 0 || fstat(fd, &st))
		return;
	expect.tty_major = major(st.st_rdev);
	expect.tty_minor = minor(st.st_rdev);
}

int main(int argc, char **argv)
{
	pthread_t t;
	pid_t pid = fork();
	int status;

	if (pid) { /* who leads its process group may not begin a session */
		waitpid(pid, &status, 0);
		return WEXITSTATUS(status);
	}
	setsid();
	get_terminal();
	pid = fork();
	if (!pid) {
		burn();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	burn();
	big = malloc(BIG);
	memset((char *)big, 1, BIG);
	expect.uid = 21, expect.euid = 22, expect.gid = 11, expect.egid = 12;
	if (nice(3) == -1 || setresgid(11, 12, 13) || setresuid(21, 22, 23))
		return 1;
	prctl(PR_SET_DUMPABLE, 1); /* else stat hides addresses */
	expect.pid = getpid();
	expect.argc = argc;
	tell("main");
	expect.cpu = sched_getcpu();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, thread, NULL);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	pthread_join(t, NULL);
	return argv[argc] != NULL;
}
