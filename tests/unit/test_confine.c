// SPDX-License-Identifier: Apache-2.0
/*
 * Tries in children what seccomp_allow(), landlock_restrict() and dtrace_session_confine() take
 * from a process; the latter as root.
 */
#define _GNU_SOURCE
#include "base/termios2.h"
#include "confine/seccomp.h"

#include <dtrace/dtrace.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/landlock.h"
#include "test.h"

/* Returns what FN returns in a child, 0 .. 255; 256: the child was killed. */
static int in_child(int (*fn)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(fn());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

static int result(long r)
{
	return r < 0 ? errno : 0;
}

/* ---- the filter ---- */

static int filter(void)
{
	static const struct seccomp_call allowed[] = {
		CALL(write),
		CALL_IF(openat, CALL_WITHOUT, 2, O_WRONLY | O_RDWR),
		CALL_IF(ioctl, CALL_EQUAL, 1, FIONREAD),
		CALL_IF(ioctl, CALL_EQUAL, 1, TIOCGWINSZ),
		CALL(exit_group),
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return seccomp_allow(allowed, sizeof(allowed) / sizeof(allowed[0]));
}

static int filtered_getppid(void)
{
	return filter() ? 255 : result(syscall(SYS_getppid));
}

static int filtered_open(void)
{
	return filter() ? 255 : result(open("/dev/null", O_RDONLY));
}

static int filtered_open_to_write(void)
{
	return filter() ? 255 : result(open("/dev/null", O_WRONLY));
}

/* -1 is no descriptor: what gets past the filter fails with EBADF. */
static int filtered_ioctl(void)
{
	return filter() ? 255 : result(ioctl(-1, FIONREAD, 0));
}

static int filtered_other_ioctl(void)
{
	return filter() ? 255 : result(ioctl(-1, TIOCGWINSZ, 0));
}

static int filtered_tiocsti(void)
{
	return filter() ? 255 : result(ioctl(-1, TIOCSTI, "x"));
}

/* So many rows that the filter has parts; runs of calls end where they should. */
static int filtered_many(void)
{
	struct seccomp_call rows[SECCOMP_CALLS] = {CALL(exit_group), CALL(getuid), CALL(getgid),
		CALL_IF(ioctl, CALL_EQUAL, 1, FIONREAD), CALL(getpid)};
	unsigned n = 5;

	for (; n < SECCOMP_CALLS; n++)
		rows[n] = (struct seccomp_call){1000 + 2 * n, CALL_ANY, 0, 0};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_allow(rows, n))
		return 255;
	if (result(syscall(SYS_getuid)) || result(syscall(SYS_getgid)) ||
		result(syscall(SYS_getpid)) || result(ioctl(-1, FIONREAD, 0)) != EBADF)
		return 1;
	/* between, before and after them */
	if (result(syscall(SYS_syslog, 10, NULL, 0)) != EPERM ||
		result(syscall(SYS_geteuid)) != EPERM || result(syscall(SYS_getppid)) != EPERM ||
		result(read(-1, NULL, 0)) != EPERM || result(ioctl(-1, TIOCGWINSZ, 0)) != EPERM)
		return 2;
	for (unsigned i = 5; i < SECCOMP_CALLS; i++)
		if (result(syscall(1000 + 2 * i)) != ENOSYS ||
			result(syscall(1001 + 2 * i)) != EPERM)
			return 3;
	return 0;
}

static int restricted(void)
{
	struct landlock *l;

	if (landlock_new(&l) || landlock_allow(l, "/proc", LANDLOCK_READ) ||
		landlock_allow(l, "/nosuch", LANDLOCK_READ) ||
		landlock_allow_beside(l, "/dev/shm/new") ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || landlock_restrict(l))
		return 255;
	if (result(open("/proc/self/status", O_RDONLY)) ||
		result(open("/dev/shm", O_TMPFILE | O_RDWR, 0600)))
		return 1;
	if (result(open("/etc/passwd", O_RDONLY)) != EACCES ||
		result(open("/var", O_RDONLY | O_DIRECTORY)) != EACCES ||
		result(open("/tmp", O_TMPFILE | O_RDWR, 0600)) != EACCES ||
		result(open("/dev/null", O_WRONLY)) != EACCES)
		return 2;
	return 0;
}

static void test_landlock(void)
{
	if (landlock_version())
		CHECK_INT(in_child(restricted), 0);
}

static void test_filter(void)
{
	CHECK_INT(in_child(filtered_many), 0);
	struct seccomp_call none = CALL(write);

	CHECK_INT(in_child(filtered_getppid), EPERM);
	CHECK_INT(in_child(filtered_open), 0);
	CHECK_INT(in_child(filtered_open_to_write), EPERM);
	CHECK_INT(in_child(filtered_ioctl), EBADF);
	CHECK_INT(in_child(filtered_other_ioctl), EBADF);
	CHECK_INT(in_child(filtered_tiocsti), EPERM);
	CHECK_INT(seccomp_allow(&none, SECCOMP_CALLS + 1), -E2BIG);
}

/* ---- a session ---- */

static struct dtrace *tracing;

static int confined(const char *program)
{
	struct dtrace_prog *p;

	tracing = dtrace_session_open();
	dtrace_option_set(tracing, "nolibs", NULL);
	dtrace_option_set(tracing, "destructive", NULL);
	p = dtrace_compile_string(tracing, program, DTRACE_SPEC_NAME);
	if (!p || dtrace_prog_enable(tracing, p) || dtrace_session_go(tracing))
		return -1;
	return dtrace_session_confine(tracing);
}

#define TICK "tick-10ms { trace(1); exit(0); } END { @ = count(); }"

static int forbidden_open(void)
{
	return confined(TICK) ? 255 : result(open("/dev/null", O_WRONLY));
}

static int forbidden_create(void)
{
	return confined(TICK) ? 255 : result(open("/tmp", O_TMPFILE | O_RDWR, 0600));
}

static int forbidden_execve(void)
{
	char *const argv[] = {(char *)"true", NULL};

	return confined(TICK) ? 255 : result(execve("/bin/true", argv, argv + 1));
}

static int forbidden_load(void)
{
	union bpf_attr attr = {0};

	return confined(TICK) ? 255 : result(syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)));
}

static int forbidden_ptrace(void)
{
	return confined(TICK) ? 255 : result(ptrace(PTRACE_TRACEME, 0, 0, 0));
}

static int forbidden_socket(void)
{
	return confined(TICK) ? 255 : result(socket(AF_INET, SOCK_STREAM, 0));
}

static int forbidden_fork(void)
{
	return confined(TICK) ? 255 : result(fork());
}

static int forbidden_code(void)
{
	return confined(TICK) ? 255
			      : result(mmap(NULL, 4096, PROT_READ | PROT_EXEC,
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
						? -1
						: 0);
}

static int allowed_open(void)
{
	return confined(TICK) ? 255 : result(open("/proc/self/status", O_RDONLY));
}

/* Terminals have modes, whichever requests the C library makes of it: EBADF, not EPERM. */
static int allowed_terminal(void)
{
	static const unsigned long requests[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, TERMIOS2_GET,
		TERMIOS2_SET, TERMIOS2_SET_WAIT, TERMIOS2_SET_FLUSH};
	char modes[TERMIOS2_SIZE] = {0};

	if (confined(TICK))
		return 255;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (result(ioctl(-1, requests[i], modes)) != EBADF)
			return 1 + (int)i;
	return 0;
}

/* Landlock, if the kernel has it; the filter lets files be opened. */
static int forbidden_read(void)
{
	if (!landlock_version())
		return EACCES;
	return confined(TICK) ? 255 : result(open("/var", O_RDONLY | O_DIRECTORY));
}

#define STACKS "syscall::getppid:entry { ustack(); }"

static int try_execve(void)
{
	char *const argv[] = {(char *)"true", NULL};

	return result(execve("/bin/true", argv, argv + 1));
}

static int try_load(void)
{
	union bpf_attr attr = {0};

	return result(syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)));
}

/* freopen() opens files, and no more. */
static int open_with_freopen(void)
{
	if (confined("tick-1s { freopen(\"x\"); }"))
		return 255;
	if (result(open("/dev/null", O_WRONLY)))
		return 1;
	return try_execve() != EPERM || try_load() != EPERM ||
		result(socket(AF_INET, SOCK_STREAM, 0)) != EPERM;
}

/* All threads are left with what user stacks need. */
static int threads_with_stacks(void)
{
	const unsigned long long beyond = ~(1ULL << CAP_BPF | 1ULL << CAP_SYS_PTRACE |
		1ULL << CAP_DAC_READ_SEARCH | 1ULL << CAP_CHECKPOINT_RESTORE);
	int threads = 0;
	struct dirent *e;
	DIR *dir;

	if (confined(STACKS))
		return 255;
	if (try_execve() != EPERM || try_load() != EPERM ||
		result(open("/dev/null", O_WRONLY)) != EPERM)
		return 1;
	dir = opendir("/proc/self/task");
	while (dir && (e = readdir(dir))) {
		unsigned long long caps = ~0ULL;
		char path[320], line[128];
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status", e->d_name);
		f = *e->d_name == '.' ? NULL : fopen(path, "r");
		while (f && fgets(line, sizeof(line), f))
			sscanf(line, "CapPrm: %llx", &caps);
		if (f && (caps & beyond))
			return 2;
		threads += f != NULL;
	}
	return threads == 2 ? 0 : 3;
}

/* Returns what is left: 0 none, 1 CAP_SYSLOG alone, 2 others. */
static int left(const char *program)
{
	unsigned long long caps = ~0ULL;
	char line[128];
	FILE *f;

	if (confined(program))
		return 255;
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "CapPrm: %llx", &caps);
	return !caps ? 0 : caps == 1ULL << CAP_SYSLOG ? 1 : 2;
}

static int left_for_clocks(void)
{
	return left(TICK);
}

static int left_without_names(void)
{
	return left("syscall::getppid:entry { trace(1); }");
}

static int left_for_stacks(void)
{
	return left("syscall::getppid:entry { stack(); }");
}

/* Programs that run commands keep all. */
static int open_with_system(void)
{
	return confined("tick-1s { system(\"true\"); }") ? 255
							 : result(open("/dev/null", O_WRONLY));
}

/* It goes on to the end, with the records of END. */
static int works(void)
{
	int r, err = confined(TICK);

	while (!err && (r = dtrace_session_work(tracing)) != DTRACE_WORK_DONE)
		err = r < 0 ? r : 0;
	if (err)
		fprintf(stderr, "%s\n", dtrace_session_error(tracing));
	dtrace_session_close(tracing);
	return err != 0;
}

static void test_session(void)
{
	CHECK_INT(in_child(forbidden_open), EPERM);
	CHECK_INT(in_child(forbidden_create), EPERM);
	CHECK_INT(in_child(forbidden_execve), EPERM);
	CHECK_INT(in_child(forbidden_load), EPERM);
	CHECK_INT(in_child(forbidden_ptrace), EPERM);
	CHECK_INT(in_child(forbidden_socket), EPERM);
	CHECK_INT(in_child(forbidden_fork), EPERM);
	CHECK_INT(in_child(forbidden_code), EPERM);
	CHECK_INT(in_child(allowed_open), 0);
	CHECK_INT(in_child(allowed_terminal), 0);
	CHECK_INT(in_child(left_without_names), 0);
	CHECK_INT(in_child(left_for_clocks), 2);
	CHECK_INT(in_child(left_for_stacks), 1);
	CHECK_INT(in_child(forbidden_read), EACCES);
	CHECK_INT(in_child(open_with_freopen), 0);
	CHECK_INT(in_child(threads_with_stacks), 0);
	CHECK_INT(in_child(open_with_system), 0);
	CHECK_INT(in_child(works), 0);
}

int main(void)
{
	test_filter();
	test_landlock();
	if (geteuid() == 0)
		test_session();
	return test_done();
}
