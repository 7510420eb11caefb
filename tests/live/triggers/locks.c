/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static -pthread */
/*
 * locks: threads that wait for kernel locks.
 *
 *	locks mutex N MS	N times one thread waits for a mutex that another holds for MS
 *				milliseconds, a pipe's
 *	locks rwsem N MS	N times a writer and a reader wait for a directory's rw_semaphore
 *				that a reader holds so long
 *	locks error N MS	N times a thread that waits for a terminal's mutex, so long, is
 *				interrupted by a signal
 *	locks acquire N		N writes to a pipe and N reads from it, which take its mutex with
 *				nobody in the way
 *	locks spin MS K		K threads, on different CPUs, want the same spinlock for so long;
 *				no number is known
 *	locks rwspin MS K	the same with a kernel rwlock, that of the list of tasks
 *	locks adaptive MS K	the same with a mutex, a pipe's, which is spun for before it is
 *				slept for
 *
 * Holders sleep in the kernel, over a page that a userfaultfd(2) withholds: one CPU is enough.  It
 * prints
 *
 *	holder TID		"locker"; whoever waits is called "waiter" until it has the lock
 *	block TID mutex|writer|reader FROM TO	CLOCK_MONOTONIC before and after the call that waits
 *	error TID ERRNO		of such a call
 *	held FROM TO		from when the lock was surely held to when the page was given
 *
 * Status 77: there is no userfaultfd.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static pthread_t thread(void *(*body)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, body, arg))
		fail(1, "thread");
	return t;
}

/* Until task tid sleeps: its state is S or D. */
static void asleep(pid_t tid)
{
	char path[64], line[256], *p;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	for (;;) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = read(fd, line, sizeof(line) - 1);

		close(fd);
		line[n > 0 ? n : 0] = 0;
		p = strrchr(line, ')');
		if (p && (p[2] == 'S' || p[2] == 'D'))
			return;
		rest(1);
	}
}

/* ---- a page that whoever reads or writes it waits for */

static int faults = -1;
static char *page;

static void page_withhold(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};

	if (faults < 0) {
		faults = syscall(SYS_userfaultfd, O_CLOEXEC);
		if (faults < 0 || ioctl(faults, UFFDIO_API, &api))
			fail(77, "userfaultfd");
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			fail(1, "mmap");
		range.range.start = (uintptr_t)page;
		range.range.len = 4096;
		if (ioctl(faults, UFFDIO_REGISTER, &range))
			fail(77, "userfaultfd");
	}
	madvise(page, 4096, MADV_DONTNEED);
}

static void page_wanted(void)
{
	struct uffd_msg m;

	if (read(faults, &m, sizeof(m)) != sizeof(m))
		fail(1, "no fault");
}

static void page_give(void)
{
	struct uffdio_zeropage zero = {.range = {(uintptr_t)page, 4096}};

	if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
		fail(1, "zero page");
}

/* ---- who holds and who waits */

static int pipes[2];
static char directory[4200], created[4300];

struct role {
	void (*act)(void);
	const char *what; /* NULL: a holder */
	pid_t tid;
	long long from, to;
};

static void *play(void *arg)
{
	struct role *r = arg;

	prctl(PR_SET_NAME, r->what ? "waiter" : "locker");
	r->from = now();
	__atomic_store_n(&r->tid, gettid(), __ATOMIC_RELEASE);
	r->act();
	r->to = now();
	/* a thread that ends may wait for the kernel's own locks, the list of tasks for one */
	prctl(PR_SET_NAME, "leaver");
	return NULL;
}

static pthread_t begin(struct role *r)
{
	pthread_t t;

	r->tid = 0;
	t = thread(play, r);
	while (!__atomic_load_n(&r->tid, __ATOMIC_ACQUIRE))
		sched_yield();
	return t;
}

static void write_page(void)
{
	if (write(pipes[1], page, 64) != 64)
		fail(1, "pipe");
}

static void write_byte(void)
{
	if (write(pipes[1], "", 1) != 1)
		fail(1, "pipe");
}

static void list(void *buffer)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_getdents64, fd, buffer, 4096) <= 0)
		fail(1, directory);
	close(fd);
}

static void list_to_page(void)
{
	list(page);
}

static void list_directory(void)
{
	char buffer[4096];

	list(buffer);
}

static void make_directory(void)
{
	if (mkdir(created, 0700))
		fail(1, created);
}

/* One act by the holder; each of the waiters after the one before it sleeps. */
static void scene(struct role *holder, struct role **waiters, int n, long ms)
{
	pthread_t holding, waiting[4];
	long long from;

	page_withhold();
	holding = begin(holder);
	page_wanted();
	from = now();
	for (int i = 0; i < n; i++) {
		waiting[i] = begin(waiters[i]);
		asleep(waiters[i]->tid);
	}
	rest(ms);
	fact("holder %d", holder->tid);
	fact("held %lld %lld", from, now());
	page_give();
	pthread_join(holding, NULL);
	for (int i = 0; i < n; i++) {
		pthread_join(waiting[i], NULL);
		fact("block %d %s %lld %lld", waiters[i]->tid, waiters[i]->what, waiters[i]->from,
			waiters[i]->to);
	}
}

static int locks_mutex(long n, long ms)
{
	struct role holder = {write_page}, waiter = {write_byte, "mutex"}, *waiters[] = {&waiter};
	char buffer[65];

	if (pipe2(pipes, O_CLOEXEC))
		fail(1, "pipe");
	for (; n > 0; n--) {
		scene(&holder, waiters, 1, ms);
		if (read(pipes[0], buffer, sizeof(buffer)) != sizeof(buffer))
			fail(1, "pipe");
	}
	return 0;
}

static int locks_rwsem(long n, long ms)
{
	struct role holder = {list_to_page}, writer = {make_directory, "writer"},
		    reader = {list_directory, "reader"}, *waiters[] = {&writer, &reader};

	/* what is in memory alone hands out a directory's entries under its lock */
	snprintf(directory, sizeof(directory), "/dev/shm/locks.XXXXXX");
	if (!mkdtemp(directory))
		fail(1, directory);
	snprintf(created, sizeof(created), "%s/new", directory);
	for (; n > 0; n--) {
		scene(&holder, waiters, 2, ms);
		rmdir(created);
	}
	rmdir(directory);
	return 0;
}

static int terminal;

static void write_page_to_terminal(void)
{
	if (write(terminal, page, 64) != 64)
		fail(1, "terminal");
}

static void write_byte_to_terminal(void)
{
	if (write(terminal, "", 1) != -1 || errno != EINTR)
		fail(1, "not interrupted");
}

static void interrupt(int sig)
{
	(void)sig;
}

static int locks_error(long n, long ms)
{
	struct role holder = {write_page_to_terminal}, waiter = {write_byte_to_terminal, "mutex"};
	struct sigaction action = {.sa_handler = interrupt};
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (master < 0 || grantpt(master) || unlockpt(master))
		fail(77, "pseudo-terminal");
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0)
		fail(77, "pseudo-terminal");
	sigaction(SIGUSR2, &action, NULL);
	for (; n > 0; n--) {
		pthread_t holding, waiting;

		page_withhold();
		holding = begin(&holder);
		page_wanted();
		waiting = begin(&waiter);
		asleep(waiter.tid);
		rest(ms);
		pthread_kill(waiting, SIGUSR2);
		pthread_join(waiting, NULL);
		page_give();
		pthread_join(holding, NULL);
		fact("block %d mutex %lld %lld", waiter.tid, waiter.from, waiter.to);
		fact("error %d %d", waiter.tid, EINTR);
	}
	return 0;
}

/* ---- without holders that sleep */

static int locks_acquire(long n)
{
	char c;

	if (pipe2(pipes, O_CLOEXEC))
		fail(1, "pipe");
	prctl(PR_SET_NAME, "locker");
	for (long i = 0; i < n; i++) {
		write_byte();
		if (read(pipes[0], &c, 1) != 1)
			fail(1, "pipe");
	}
	prctl(PR_SET_NAME, "locks");
	return 0;
}

static long long end;
static void (*hammer_blow)(long i);

static void *hammer(void *arg)
{
	long i = (long)arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(i % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
	prctl(PR_SET_NAME, "waiter");
	while (now() < end) {
		for (int k = 0; k < 100; k++)
			hammer_blow(i);
	}
	return NULL;
}

/* the spinlock of what is shared between threads about signals */
static void blow_spin(long i)
{
	(void)i;
	kill(getpid(), SIGUSR1);
}

/* every other one reads the list of tasks */
static void blow_rwspin(long i)
{
	siginfo_t info;

	if (i % 2)
		waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
	else
		setpgid(0, 0);
}

static void blow_adaptive(long i)
{
	char c;

	(void)i;
	write_byte();
	if (read(pipes[0], &c, 1) != 1)
		fail(1, "pipe");
}

static int locks_hammer(void (*blow)(long i), long ms, long k)
{
	pthread_t threads[16];

	if (k > 16)
		return 2;
	hammer_blow = blow;
	signal(SIGUSR1, SIG_IGN);
	if (pipe2(pipes, O_CLOEXEC))
		fail(1, "pipe");
	end = now() + ms * 1000000LL;
	for (long i = 0; i < k; i++)
		threads[i] = thread(hammer, (void *)i);
	for (long i = 0; i < k; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long a = argc > 2 ? atol(argv[2]) : 100, b = argc > 3 ? atol(argv[3]) : 2;

	if (!strcmp(what, "mutex"))
		return locks_mutex(a, b);
	if (!strcmp(what, "rwsem"))
		return locks_rwsem(a, b);
	if (!strcmp(what, "error"))
		return locks_error(a, b);
	if (!strcmp(what, "acquire"))
		return locks_acquire(a);
	if (!strcmp(what, "spin"))
		return locks_hammer(blow_spin, a, b);
	if (!strcmp(what, "rwspin"))
		return locks_hammer(blow_rwspin, a, b);
	if (!strcmp(what, "adaptive"))
		return locks_hammer(blow_adaptive, a, b);
	fprintf(stderr,
		"locks mutex N MS | rwsem N MS | error N MS | acquire N | spin MS K | rwspin MS K "
		"| adaptive MS "
		"K\n");
	return 2;
}
