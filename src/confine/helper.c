// SPDX-License-Identifier: Apache-2.0
/* Takes rights and descriptors from processes that serve the tracer. */
#define _GNU_SOURCE /* closefrom(), setgroups(), setresuid(), syscall() */
#include "confine/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534 /* also the kernel's overflow uid, where no user has this name */

static void leave_standard_files(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
}

/* A filter may refuse close_range(2): closefrom(3) reads /proc/self/fd then, or aborts. */
static void close_others(int keep)
{
	for (int fd = STDERR_FILENO + 1; fd < keep; fd++)
		close(fd);
	closefrom(keep > STDERR_FILENO ? keep + 1 : STDERR_FILENO + 1);
}

void helper_detach(int keep)
{
	setsid(); /* ^C is for the tracer */
	leave_standard_files();
	close_others(keep);
}

int helper_detach_with(int *fds, int n)
{
	const int first = STDERR_FILENO + 1;

	setsid();
	leave_standard_files();
	/* above what any of them becomes */
	for (int i = 0; i < n; i++) {
		fds[i] = fcntl(fds[i], F_DUPFD, first + n);
		if (fds[i] < 0)
			return -errno;
	}
	for (int i = 0; i < n; i++) {
		if (dup2(fds[i], first + i) < 0)
			return -errno;
		fds[i] = first + i;
	}
	closefrom(first + n);
	return 0;
}

int helper_drop_bounding(void)
{
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) && errno != EPERM)
			return -errno;
	return 0;
}

int helper_become_nobody(void)
{
	int err;

	if (geteuid())
		return 0; /* no more rights than its user, who cannot become nobody */
	err = helper_drop_bounding();
	if (err)
		return err;
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
		setresuid(NOBODY, NOBODY, NOBODY))
		return -errno;
	return 0;
}

int helper_drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
		syscall(SYS_capset, &head, none) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return 0;
}

bool helper_is_stopped(pid_t pid)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

#define TURN_MS	   5
#define STOPPED_MS 300 /* for one that was stopped, and may be continued */

void helper_reap(pid_t pid, unsigned ms)
{
	unsigned stopped = 0;

	for (unsigned waited = 0; waited < ms && stopped < STOPPED_MS; waited += TURN_MS) {
		if (waitpid(pid, NULL, WNOHANG))
			return;
		usleep(TURN_MS * 1000);
		stopped = helper_is_stopped(pid) ? stopped + TURN_MS : 0;
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
