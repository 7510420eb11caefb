// SPDX-License-Identifier: Apache-2.0
/* Makes files in a Java VM's /tmp, and connects to the VM, with the ids of the VM's owner. */
#define _GNU_SOURCE /* setgroups(), setresuid() */
#include "managed/java_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/transfer.h"
#include "confine/helper.h"
#include "confine/passfd.h"
#include "managed/java_wire.h"

/* What it says after a step. */
struct said {
	int step, err;
};

/* ---- in the process ---- */

struct errand {
	const struct java_errand *e;
	int says, tmp, pidfd, listener, client;
};

/* Other users' processes: root's groups go as well.  Our own: they are the VM's owner's. */
static int take_ids(const struct java_errand *e)
{
	bool own = e->uid && e->uid == getuid() && e->uid == geteuid();

	if (setgroups(0, NULL) && !own && getgroups(0, NULL) > 0)
		return -errno;
	if (setresgid(e->gid, e->gid, e->gid) || setresuid(e->uid, e->uid, e->uid))
		return -errno;
	return helper_drop_capabilities();
}

/* The default for all signals; the tracer's functions are about the tracer. */
static void forget_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* True once the tracer has closed its end; waits MS for that. */
static bool is_over(const struct errand *t, int ms)
{
	struct pollfd f = {.fd = t->says, .events = POLLIN};

	return poll(&f, 1, ms) > 0;
}

static bool say(const struct errand *t, enum java_step step, int err, int fd)
{
	struct said said = {step, err};
	struct iovec iov = {&said, sizeof(said)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;

	passfd_put(&m, &room, &fd, fd >= 0);
	return sendmsg(t->says, &m, MSG_NOSIGNAL) == sizeof(said) && !err;
}

static int make_file(const char *name, mode_t mode)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);

	return fd >= 0 ? fd : -errno;
}

/* The agent's file, open for reading: the one that was written, whatever has its name now. */
static int write_file(const struct java_errand *e)
{
	int fd = make_file(e->file, 0500), err, again;
	char path[64];

	if (fd < 0)
		return fd;
	err = transfer_write(fd, e->image, e->len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = err ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	err = again < 0 && !err ? -errno : err;
	close(fd);
	return err ? err : again;
}

static struct sockaddr_un address(const char *name)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", name);
	return at;
}

static int bind_socket(const struct errand *t)
{
	struct sockaddr_un at = address(t->e->sock);
	mode_t mask = umask(0177);
	int err = bind(t->listener, (struct sockaddr *)&at, sizeof(at)) ? -errno : 0;

	umask(mask);
	return err;
}

/* 1: the VM listens; 0: not yet; -errno. */
static int listens(const struct java_errand *e)
{
	struct stat st;

	if (lstat(e->vm_sock, &st))
		return errno == ENOENT ? 0 : -errno;
	return S_ISSOCK(st.st_mode) && st.st_uid == e->uid ? 1 : -EEXIST;
}

/* Waits without an end: the tracer has the deadline. */
static int start_listener(const struct errand *t)
{
	int is = listens(t->e), fd;

	if (is)
		return is < 0 ? is : 0;
	fd = make_file(t->e->ask, 0600); /* another tracer's serves as well */
	if (fd >= 0)
		close(fd);
	if (syscall(SYS_pidfd_send_signal, t->pidfd, SIGQUIT, NULL, 0))
		return -errno;
	while (!(is = listens(t->e)))
		if (is_over(t, 1))
			return -EPIPE;
	unlink(t->e->ask);
	return is < 0 ? is : 0;
}

static int connect_vm(const struct errand *t)
{
	struct sockaddr_un to = address(t->e->vm_sock);

	while (connect(t->client, (struct sockaddr *)&to, sizeof(to))) {
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (is_over(t, 5)) /* too many wait there */
			return -EPIPE;
	}
	return 0;
}

static void remove_files(const struct java_errand *e)
{
	unlink(e->ask);
	unlink(e->file);
	unlink(e->sock);
}

static void run(const struct errand *t)
{
	int file = write_file(t->e);

	if (!say(t, JAVA_STEP_FILE, file < 0 ? file : 0, file))
		return;
	close(file);
	if (say(t, JAVA_STEP_SOCKET, bind_socket(t), -1) &&
		say(t, JAVA_STEP_SIGNAL, start_listener(t), -1) &&
		say(t, JAVA_STEP_CONNECT, connect_vm(t), -1))
		while (!is_over(t, -1))
			;
}

static void start(const struct java_errand *e, int says)
{
	int fds[] = {says, e->tmp, e->pidfd, e->listener, e->client}, err;
	struct errand t = {.e = e};

	forget_signals();
	if (helper_detach_with(fds, 5))
		_exit(1);
	t.says = fds[0];
	t.tmp = fds[1];
	t.pidfd = fds[2];
	t.listener = fds[3];
	t.client = fds[4];
	umask(0077);
	err = take_ids(e);
	if (!say(&t, JAVA_STEP_IDS, err, -1) || fchdir(t.tmp))
		_exit(1);
	run(&t);
	remove_files(e);
	_exit(0);
}

/* ---- in the tracer ---- */

int java_helper_start(struct java_helper *h, const struct java_errand *e)
{
	int ends[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	h->pid = fork();
	if (!h->pid)
		start(e, ends[1]);
	err = h->pid < 0 ? -errno : 0;
	close(ends[1]);
	h->fd = ends[0];
	if (!err)
		return 0;
	close(h->fd);
	h->pid = 0;
	return err;
}

int java_helper_step(
	struct java_helper *h, enum java_step step, int *file, const struct java_patience *p)
{
	struct said said;
	struct iovec iov = {&said, sizeof(said)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	int err = java_wait(h->fd, POLLIN, p), fd = -1;
	ssize_t n;

	if (err)
		return err;
	passfd_want(&m, &room, 1);
	do
		n = recvmsg(h->fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	passfd_take(&m, &fd, 1);
	err = n != sizeof(said) || said.step != (int)step ? -EPIPE : said.err;
	if (!err && step == JAVA_STEP_FILE && fd < 0)
		err = -EMFILE; /* here: it has opened the file */
	if (!err && file && fd >= 0)
		*file = fd;
	else if (fd >= 0)
		close(fd);
	return err;
}

#define LEAVE_MS 500 /* to remove the files, and to end after SIGKILL */

/* True if process PID, a child, ends in time. */
static bool reaped(pid_t pid)
{
	for (unsigned ms = 0; ms < LEAVE_MS; ms++) {
		pid_t r = waitpid(pid, NULL, WNOHANG);

		if (r == pid || (r < 0 && errno != EINTR))
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

void java_helper_end(struct java_helper *h)
{
	if (!h->pid)
		return;
	close(h->fd);
	if (!reaped(h->pid)) { /* somebody has stopped it */
		kill(h->pid, SIGKILL);
		(void)reaped(h->pid); /* not while a file system of its owner holds it */
	}
	h->pid = 0;
}
