/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static -pthread */
/*
 * procs: processes, threads and signals, a known number of each.  Prints a line for each event,
 * named as the probe that should tell of it; the numbers are those that fork(2), gettid(2) and
 * wait(2) gave.
 *
 *	procs fork N		N children, one after the other; the i-th exits with i
 *	procs vfork N		the same by vfork(2)
 *	procs threads N		N threads, one after the other
 *	procs exec		children that call execve(2) and execveat(2), with success and
 *without procs die		children that exit, are killed and dump core
 *	procs signals N		N signals of each kind: handled, for a thread, ignored, waited for,
 *				pending twice
 *	procs faults		children that make the processor raise SIGSEGV, SIGBUS, SIGILL,
 *				SIGFPE and SIGTRAP
 *	procs exit STATUS	nothing but that; what exec runs
 *
 *	create PARENT CHILD		start PID
 *	lwp-create TID PID		lwp-start TID
 *	exit PID CLD_* STATUS|SIGNAL	lwp-exit TID
 *	exec PID PATH			exec-success PID NAME		exec-failure PID ERRNO
 *	signal-send SENDER PID TID SIGNAL	signal-discard SENDER PID TID SIGNAL
 *	signal-handle TID SIGNAL SI_CODE HANDLER	signal-clear TID SIGNAL
 *	fault PID SIGNAL SI_CODE SI_ADDR	(followed by "exit")
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "facts.h"

static char self_path[4096];

static void born(pid_t child)
{
	fact("create %d %d", getpid(), child);
	fact("start %d", child);
	fact("lwp-create %d %d", child, child);
	fact("lwp-start %d", child);
}

static void reap(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			_exit(125);
	}
	fact("lwp-exit %d", child);
	if (WIFEXITED(status))
		fact("exit %d %d %d", child, CLD_EXITED, WEXITSTATUS(status));
	else
		fact("exit %d %d %d", child, WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED,
			WTERMSIG(status));
}

/* Run body(arg) in a child; it must not return. */
static void child_run(void (*body)(long arg), long arg)
{
	pid_t pid = fork();

	if (pid == 0) {
		body(arg);
		_exit(126);
	}
	born(pid);
	reap(pid);
}

static void leave(long status)
{
	_exit(status);
}

static int procs_fork(long n)
{
	for (long i = 0; i < n; i++)
		child_run(leave, i);
	return 0;
}

static int procs_vfork(long n)
{
	for (volatile long i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(i);
		born(pid);
		reap(pid);
	}
	return 0;
}

static void *thread_body(void *arg)
{
	*(pid_t *)arg = gettid();
	return NULL;
}

static int procs_threads(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_t thread;
		pid_t tid;

		if (pthread_create(&thread, NULL, thread_body, &tid))
			return 1;
		pthread_join(thread, NULL);
		fact("lwp-create %d %d", tid, getpid());
		fact("lwp-start %d", tid);
		fact("lwp-exit %d", tid);
	}
	return 0;
}

static void exec_path(long path)
{
	char *argv[] = {"procs", "exit", "3", NULL}, *envp[] = {NULL};
	const char *name = (const char *)path;

	prctl(PR_SET_NAME, "before");
	fact("exec %d %s", getpid(), name);
	/* said before it is known: after success nobody is left to say it */
	if (name == self_path)
		fact("exec-success %d %.15s", getpid(), strrchr(name, '/') + 1);
	syscall(SYS_execve, name, argv, envp);
	fact("exec-failure %d %d", getpid(), errno);
	_exit(4);
}

static void exec_at(long name)
{
	char *argv[] = {"procs", "exit", "5", NULL}, *envp[] = {NULL};
	char *base = strrchr(self_path, '/');
	int dir;

	*base++ = 0;
	dir = open(self_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	prctl(PR_SET_NAME, "before");
	if (!name) {
		name = (long)base;
		fact("exec-success %d %.15s", getpid(), base);
	}
	fact("exec %d %s", getpid(), (const char *)name);
	syscall(SYS_execveat, dir, name, argv, envp, 0);
	fact("exec-failure %d %d", getpid(), errno);
	_exit(6);
}

static int procs_exec(void)
{
	child_run(exec_path, (long)self_path);
	child_run(exec_path, (long)"/no/such/program");
	child_run(exec_path, (long)"/dev/null");
	child_run(exec_at, 0);
	child_run(exec_at, (long)"no such program");
	return 0;
}

static void by_signal(long sig)
{
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

	/* the core, if any, goes to a folder of its own that remove_cores() empties */
	setrlimit(RLIMIT_CORE, &all);
	prctl(PR_SET_DUMPABLE, 1);
	kill(getpid(), sig);
	pause();
}

static void remove_cores(const char *dir, pid_t last)
{
	char path[4352];

	/* core_pattern's usual names; others are left in a temporary folder */
	for (pid_t pid = last; pid > last - 64 && pid > 0; pid--) {
		snprintf(path, sizeof(path), "%s/core.%d", dir, pid);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/core", dir);
	unlink(path);
	rmdir(dir);
}

static int procs_die(void)
{
	static const int codes[] = {0, 1, 127, 255},
			 signals[] = {SIGKILL, SIGTERM, SIGHUP, SIGABRT};
	const char *tmp = getenv("TMPDIR");
	char dir[4200];
	pid_t last;

	snprintf(dir, sizeof(dir), "%s/procs.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	for (int i = 0; i < 4; i++)
		child_run(leave, codes[i]);
	for (int i = 0; i < 4; i++)
		child_run(by_signal, signals[i]);
	last = fork();
	if (last == 0)
		_exit(0);
	born(last);
	reap(last);
	if (chdir("/"))
		return 1;
	remove_cores(dir, last);
	return 0;
}

/* ---- signals: the child acknowledges each with a byte */

static int acks[2];
static struct shared {
	pid_t tid; /* of the child's second thread */
} * shared;

static void ack(void)
{
	if (write(acks[1], "", 1) != 1)
		_exit(125);
}

static void await(void)
{
	char c;

	while (read(acks[0], &c, 1) != 1) {
		if (errno != EINTR)
			_exit(125);
	}
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	fact("signal-handle %d %d %d %#lx", gettid(), sig, info->si_code, (long)on_signal);
	ack();
}

static void *target_thread(void *arg)
{
	sigset_t one;

	(void)arg;
	shared->tid = gettid();
	/* the only one that this thread takes, and the other one never does */
	sigemptyset(&one);
	sigaddset(&one, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	ack();
	for (;;)
		pause();
	return NULL;
}

static void target_body(long n)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigset_t waited, blocked;
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	signal(SIGUSR2, SIG_IGN);
	sigfillset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	if (pthread_create(&thread, NULL, target_thread, NULL))
		_exit(125);
	sigemptyset(&waited);
	sigaddset(&waited, SIGRTMIN + 1);
	for (long i = 0; i < n; i++) {
		struct timespec limit = {.tv_sec = 20};
		int sig = sigtimedwait(&waited, NULL, &limit);

		if (sig < 0)
			_exit(125);
		fact("signal-clear %d %d", gettid(), sig);
		ack();
	}
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGHUP);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	ack();
	for (;;)
		pause();
}

static void send_signals(const char *what, long n, pid_t pid, pid_t tid, int sig, bool acknowledged)
{
	for (long i = 0; i < n; i++) {
		fact("%s %d %d %d %d", what, getpid(), pid, tid, sig);
		if (tid != pid)
			syscall(SYS_tgkill, pid, tid, sig);
		else
			kill(pid, sig);
		if (acknowledged)
			await();
	}
}

static int procs_signals(long n)
{
	pid_t pid;

	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pipe2(acks, O_CLOEXEC))
		return 1;
	pid = fork();
	if (pid == 0)
		target_body(n);
	born(pid);
	await();
	fact("lwp-create %d %d", shared->tid, pid);
	fact("lwp-start %d", shared->tid);
	send_signals("signal-send", n, pid, pid, SIGRTMIN + 1, true);
	await();
	send_signals("signal-send", n, pid, pid, SIGUSR1, true);
	send_signals("signal-send", n, pid, shared->tid, SIGALRM, true);
	send_signals("signal-discard", n, pid, pid, SIGUSR2, false);
	/* blocked: the first stays pending, and the next are neither sent nor thrown away */
	send_signals("signal-send", 1, pid, pid, SIGHUP, false);
	for (long i = 0; i < n; i++)
		kill(pid, SIGHUP);
	send_signals("signal-send", 1, pid, pid, SIGKILL, false);
	fact("lwp-exit %d", shared->tid);
	reap(pid);
	return 0;
}

/* ---- faults */

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	fact("fault %d %d %d %#lx", getpid(), sig, info->si_code, (long)info->si_addr);
	_exit(sig);
}

static void beyond_the_file(void)
{
	int fd = memfd_create("procs", MFD_CLOEXEC);
	volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	(void)page[8];
}

static void fault_body(long sig)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	volatile int zero = 0;

	sigaction(sig, &action, NULL);
	switch (sig) {
	case SIGSEGV:
		*(volatile char *)(long)(16 + zero) = 1;
		break;
	case SIGBUS:
		beyond_the_file();
		break;
#ifdef __x86_64__
	case SIGILL:
		asm volatile("ud2");
		break;
	case SIGFPE:
		zero = sig / zero;
		break;
	case SIGTRAP:
		asm volatile("int3");
		break;
#endif
	}
	_exit(125);
}

static int procs_faults(void)
{
	child_run(fault_body, SIGSEGV);
	child_run(fault_body, SIGBUS);
#ifdef __x86_64__
	child_run(fault_body, SIGILL);
	child_run(fault_body, SIGFPE);
	child_run(fault_body, SIGTRAP);
#endif
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1;
	ssize_t length = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);

	self_path[length > 0 ? length : 0] = 0;
	if (!strcmp(what, "fork"))
		return procs_fork(n);
	if (!strcmp(what, "vfork"))
		return procs_vfork(n);
	if (!strcmp(what, "threads"))
		return procs_threads(n);
	if (!strcmp(what, "exec"))
		return procs_exec();
	if (!strcmp(what, "die"))
		return procs_die();
	if (!strcmp(what, "signals"))
		return procs_signals(n);
	if (!strcmp(what, "faults"))
		return procs_faults();
	if (!strcmp(what, "exit"))
		return n;
	fprintf(stderr,
		"procs fork N | vfork N | threads N | exec | die | signals N | faults | exit "
		"STATUS\n");
	return 2;
}
