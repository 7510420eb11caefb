// SPDX-License-Identifier: Apache-2.0
/*
 * Loads an agent through HotSpot's attach mechanism (attachListener_posix.cpp of OpenJDK): a file
 * .attach_pidN in the temporary folder and SIGQUIT make the VM listen at /tmp/.java_pidN, where it
 * takes "1", "load", the file, "true" and options, each ended by a NUL.  Names are as in the
 * process's own mount and pid namespaces; the VM answers only processes with its effective ids.
 *
 * The process may be hostile.  Whatever has a name in its /tmp is made, and connected to, with its
 * ids (java_helper.h).
 */
#define _GNU_SOURCE /* O_PATH, accept4(), struct ucred */
#include "managed/java_load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/living.h"
#include "base/rooted.h"
#include "managed/java_helper.h"
#include "managed/java_image.h"
#include "managed/java_say.h"
#include "managed/java_wire.h"
#include "sym/process.h"

/* An attempt to load. */
struct java_attempt {
	pid_t pid, inner; /* as we and as the process itself see it */
	uid_t uid;
	gid_t gid;
	bool traced;			      /* by a debugger, or held by us */
	int tmp;			      /* the process's /tmp, O_PATH */
	int listener, client;		      /* for the agent's connections; to the VM */
	char name[40];			      /* of our files there, without an ending */
	char ask[32], file[48], sock[48];     /* these files */
	char vm_sock[32];		      /* where the VM listens */
	struct java_helper helper;	      /* makes the files */
	const struct java_patience *patience; /* for all of it */
	struct java_loaded *out;
	char *why;
	size_t size;
};

static int refuse(struct java_attempt *a, int err, const char *text)
{
	if (err == -ETIMEDOUT)
		snprintf(a->why, a->size, "process %d takes too long to load an agent: it %s",
			a->pid, text);
	else if (err == -EINTR)
		snprintf(a->why, a->size, "process %d has no agent: tracing ends", a->pid);
	else
		snprintf(a->why, a->size, "process %d %s", a->pid, text);
	return err;
}

/* ---- the process ---- */

static int is_libjvm(void *arg, const struct process_object *o)
{
	return !strcmp(o->name, "libjvm.so");
}

static int read_status(struct java_attempt *a)
{
	char path[64], *line = NULL;
	unsigned long long caught = 0;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", a->pid);
	f = fopen(path, "re");
	if (!f)
		return refuse(a, -ESRCH, "does not exist");
	a->inner = a->pid;
	while (getline(&line, &cap, f) > 0) {
		sscanf(line, "Uid: %*u %u", &a->uid);
		sscanf(line, "Gid: %*u %u", &a->gid);
		sscanf(line, "SigCgt: %llx", &caught);
		a->traced |= !strncmp(line, "TracerPid:", 10) && atoi(line + 10);
		if (!strncmp(line, "NSpid:", 6))
			a->inner = atoi(strrchr(line, '\t') + 1);
	}
	free(line);
	fclose(f);
	if (process_files(a->pid, is_libjvm, NULL) != 1)
		return refuse(a, -ENOEXEC, "is not a running Java VM (it maps no libjvm.so)");
	/* the signal that starts the mechanism would end a process that does not expect it */
	if (!(caught >> (SIGQUIT - 1) & 1))
		return refuse(a, -EAGAIN,
			"has not begun to listen for SIGQUIT, or was started with -Xrs");
	return 0;
}

enum java_state java_load_state(pid_t pid, const struct java_patience *p)
{
	for (;;) {
		char why[8];
		struct java_attempt a = {.pid = pid, .why = why, .size = sizeof(why)};
		int err = read_status(&a);

		if (!err)
			return JAVA_RUNS;
		if (err != -EAGAIN)
			return a.traced ? JAVA_HELD : JAVA_NONE;
		if (java_pause(1, p))
			return JAVA_STARTS;
	}
}

#define TEXTS_MOST (8 << 20) /* bytes; the kernel lets programs have 6 MB of arguments */

/* True if FILE of the process, texts that end with NUL, has one for which IS is true. */
static bool has_text(const struct java_attempt *a, const char *file, bool (*is)(const char *text))
{
	char path[64], text[65536];
	size_t len = 0, all = 0;
	bool found = false;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", living_thread(a->pid), file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && !found && all < TEXTS_MOST &&
		(n = read(fd, text + len, sizeof(text) - 1 - len)) > 0) {
		size_t from = 0;
		char *end;

		all += (size_t)n;
		len += (size_t)n;
		text[len] = '\0';
		while (!found && (end = memchr(text + from, '\0', len - from)) != NULL) {
			found = is(text + from);
			from = (size_t)(end - text) + 1;
		}
		memmove(text, text + from, len - from);
		len -= from;
		if (len == sizeof(text) - 1) /* longer than any that is looked for */
			len = 0;
	}
	if (fd >= 0)
		close(fd);
	return found;
}

#define DISABLED "-XX:+DisableAttachMechanism"

static bool is_flag(const char *text)
{
	return !strcmp(text, DISABLED);
}

static bool has_flag(const char *text)
{
	return (!strncmp(text, "JAVA_TOOL_OPTIONS=", 18) ||
		       !strncmp(text, "JDK_JAVA_OPTIONS=", 17)) &&
		strstr(text, DISABLED);
}

static int open_process(struct java_attempt *a)
{
	a->out->pidfd = (int)syscall(SYS_pidfd_open, a->pid, 0);
	return a->out->pidfd >= 0 ? 0 : refuse(a, -errno, "does not exist");
}

/* What was read was about the process of PIDFD, not of a later one with its number. */
static int check_alive(struct java_attempt *a)
{
	struct pollfd f = {.fd = a->out->pidfd, .events = POLLIN};

	return poll(&f, 1, 0) == 0 ? 0 : refuse(a, -ESRCH, "has ended");
}

static int look(struct java_attempt *a)
{
	char root[64];
	int err = open_process(a);

	if (!err)
		err = read_status(a);
	if (err)
		return err;
	/* SIGQUIT would make the VM print its threads */
	if (has_text(a, "cmdline", is_flag) || has_text(a, "environ", has_flag))
		return refuse(
			a, -EPERM, "was started with " DISABLED ", so no agent can be loaded");
	snprintf(root, sizeof(root), "/proc/%d/root", living_thread(a->pid));
	a->tmp = rooted_open(root, "tmp", O_PATH | O_DIRECTORY, 0, ROOTED_NO_LINKS);
	if (a->tmp < 0)
		return refuse(a, a->tmp,
			"has no folder /tmp, which may not be a link, through which an agent is loaded");
	return check_alive(a);
}

/* ---- files and connections there ---- */

static void name_files(struct java_attempt *a)
{
	snprintf(a->name, sizeof(a->name), ".dtrace-%x%llx", getpid(),
		(unsigned long long)java_now());
	snprintf(a->file, sizeof(a->file), "%s.so", a->name);
	snprintf(a->sock, sizeof(a->sock), "%s.sock", a->name);
	snprintf(a->ask, sizeof(a->ask), ".attach_pid%d", a->inner);
	snprintf(a->vm_sock, sizeof(a->vm_sock), ".java_pid%d", a->inner);
}

static int start_helper(struct java_attempt *a)
{
	const int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
	struct java_errand e = {.uid = a->uid,
		.gid = a->gid,
		.tmp = a->tmp,
		.pidfd = a->out->pidfd,
		.file = a->file,
		.sock = a->sock,
		.ask = a->ask,
		.vm_sock = a->vm_sock};
	int err = 0;

	a->listener = e.listener = socket(AF_UNIX, type, 0);
	a->client = e.client = socket(AF_UNIX, type, 0);
	if (a->listener < 0 || a->client < 0)
		err = -errno;
	e.image = java_image(&e.len);
	if (!err)
		err = java_helper_start(&a->helper, &e);
	return err ? refuse(a, err,
			     "is not traced: no process can be made that writes the agent's file")
		   : 0;
}

static int step(struct java_attempt *a, enum java_step step)
{
	static const char *const failed[JAVA_STEPS] = {
		[JAVA_STEP_IDS] = "has a user that dtrace cannot act as: run it as root",
		[JAVA_STEP_FILE] = "has a /tmp that the agent cannot be written to",
		[JAVA_STEP_SOCKET] = "has a /tmp that the agent cannot be written to",
		[JAVA_STEP_SIGNAL] = "does not answer its attach mechanism",
		[JAVA_STEP_CONNECT] = "refuses connections at its attach mechanism",
	};
	int err = java_helper_step(&a->helper, step, &a->out->file, a->patience);

	if (err == -EEXIST && step == JAVA_STEP_SIGNAL)
		return refuse(a, err, "has in its /tmp another file in place of its socket");
	if (err == -EPIPE)
		return refuse(a, err, "is not traced: the process that loads the agent was killed");
	return err ? refuse(a, err, failed[step]) : 0;
}

/* True if the other end of FD is the process. */
static bool is_its(const struct java_attempt *a, int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.pid == a->pid;
}

static int connect_vm(struct java_attempt *a)
{
	int err = start_helper(a);

	if (!err)
		err = step(a, JAVA_STEP_IDS);
	if (!err)
		err = step(a, JAVA_STEP_FILE);
	if (!err)
		err = step(a, JAVA_STEP_SOCKET);
	if (!err && listen(a->listener, 1))
		err = refuse(a, -errno, "cannot be waited for");
	if (!err)
		err = step(a, JAVA_STEP_SIGNAL);
	if (!err)
		err = step(a, JAVA_STEP_CONNECT);
	if (!err && !is_its(a, a->client))
		err = refuse(a, -EPERM, "is not who listens at its attach mechanism");
	return err;
}

/* Waits for a connection of the process; its descriptor, or -errno. */
static int accept_its(struct java_attempt *a)
{
	for (;;) {
		int err = java_wait(a->listener, POLLIN, a->patience), fd;

		if (err)
			return err;
		fd = accept4(a->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0 && is_its(a, fd))
			return fd;
		if (fd >= 0)
			close(fd);
		else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			return -errno;
	}
}

static int accept_agent(struct java_attempt *a)
{
	int fd = accept_its(a);

	if (fd >= 0) {
		a->out->lines = fd;
		fd = accept_its(a);
	}
	if (fd < 0)
		return refuse(a, fd, "has loaded the agent, which does not connect");
	a->out->events = fd;
	return 0;
}

static int ask_for_agent(struct java_attempt *a)
{
	char text[512];
	const char *reason;
	int n = snprintf(text, sizeof(text), "1%cload%c/tmp/%s%ctrue%c/tmp/%s dtrace/Probes$%s%c",
		0, 0, a->file, 0, 0, a->sock, strrchr(a->name, '-') + 1, 0);
	int err = java_write_all(a->client, text, (size_t)n, a->patience);

	if (err)
		return refuse(a, err, "does not take the command to load an agent");
	err = java_read_all(a->client, text, sizeof(text), a->patience);
	if (err)
		return refuse(a, err, "does not say that it has loaded the agent");
	reason = java_read_answer(text);
	if (!reason)
		return 0;
	snprintf(a->why, a->size, "the Java VM of process %d does not load the agent: %s", a->pid,
		reason);
	return -EINVAL;
}

/* ---- all of it ---- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int java_load(
	pid_t pid, struct java_loaded *out, const struct java_patience *p, char *why, size_t size)
{
	struct java_attempt a = {.pid = pid,
		.tmp = -1,
		.listener = -1,
		.client = -1,
		.patience = p,
		.out = out,
		.why = why,
		.size = size};
	int err;

	*out = (struct java_loaded){-1, -1, -1, -1};
	err = look(&a);
	if (!err) {
		name_files(&a);
		err = connect_vm(&a);
	}
	if (!err)
		err = ask_for_agent(&a);
	if (!err)
		err = accept_agent(&a);
	java_helper_end(&a.helper);
	close_fd(&a.tmp);
	close_fd(&a.listener);
	close_fd(&a.client);
	if (err) {
		close_fd(&out->pidfd);
		close_fd(&out->file);
		close_fd(&out->lines);
		close_fd(&out->events);
	}
	return err;
}
