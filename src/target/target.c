// SPDX-License-Identifier: Apache-2.0
/* Creates, grabs, resumes and reaps the processes of -c and -p. */
#define _GNU_SOURCE
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "confine/privilege.h"
#include "target/again.h"
#include "target/stop.h"
#include "target/words.h"

enum target_state {
	HELD,	 /* created, stopped by ptrace */
	RUNNING, /* left alone */
	DEAD,	 /* ended and, when created, reaped; not told yet */
	TOLD,
};

struct target_process {
	pid_t pid;
	int pidfd;
	bool created;
	enum target_state state;
	bool again; /* it executes its program once more when it goes on */
	int status; /* of waitpid(2), for a created one that is DEAD; -1 = unknown */
};

struct targets {
	HEAPVEC(struct target_process) list;
	int epoll;
	sigset_t mask;	     /* of the caller, at the start */
	sigset_t ignored;    /* likewise */
	HEAPVEC(char *) env; /* with a NULL at its end; empty = as ours */
	char err[512];
};

struct targets *targets_new(void)
{
	struct targets *t = calloc(1, sizeof(*t));
	struct sigaction sa;

	if (!t)
		return NULL;
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (t->epoll < 0) {
		free(t);
		return NULL;
	}
	pthread_sigmask(SIG_BLOCK, NULL, &t->mask);
	sigemptyset(&t->ignored);
	for (int sig = 1; sig < NSIG; sig++)
		if (!sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN)
			sigaddset(&t->ignored, sig);
	return t;
}

/* Kill our child and be rid of it; by PIDFD where there is one, for its pid may be another's. */
static void kill_child(pid_t pid, int pidfd)
{
	int status;

	if (pidfd >= 0)
		syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	else
		kill(pid, SIGKILL);
	while (stop_waitpid(pid, &status, 0) == pid && !WIFEXITED(status) && !WIFSIGNALED(status))
		; /* a stop that was reported before the death */
}

void targets_free(struct targets *t)
{
	if (!t)
		return;
	for (unsigned int i = 0; i < t->list.len; i++) {
		if (t->list.data[i].created && t->list.data[i].state <= RUNNING)
			kill_child(t->list.data[i].pid, t->list.data[i].pidfd);
		close(t->list.data[i].pidfd);
	}
	close(t->epoll);
	vec_for (e, &t->env)
		free(*e);
	heapvec_free(&t->env);
	heapvec_free(&t->list);
	free(t);
}

/* ---- the environment ---- */

/* Adds VAR, which is taken, or else freed, before the NULL at the end. */
static int add_variable(struct targets *t, char *var)
{
	if (!var || heapvec_reserve(&t->env, (uint64_t)t->env.len + 2)) {
		free(var);
		return -ENOMEM;
	}
	vec_last(&t->env) = var;
	t->env.data[t->env.len++] = NULL;
	return 0;
}

/* Copies our environment, so that it can be changed. */
static int own_environment(struct targets *t)
{
	int err = heapvec_push(&t->env, NULL);

	for (char **e = environ; !err && *e; e++)
		err = add_variable(t, strdup(*e));
	return err;
}

static void remove_variable(struct targets *t, const char *name)
{
	size_t len = strlen(name);
	uint32_t n = 0;

	vec_for (e, &t->env) {
		if (*e && !strncmp(*e, name, len) && (*e)[len] == '=')
			free(*e);
		else
			t->env.data[n++] = *e;
	}
	t->env.len = n;
}

int targets_environment(struct targets *t, const char *name, const char *value)
{
	int err = t->env.len ? 0 : own_environment(t);
	char *var;

	if (err)
		return err;
	remove_variable(t, name);
	if (!value)
		return 0;
	return asprintf(&var, "%s=%s", name, value) < 0 ? -ENOMEM : add_variable(t, var);
}

/* ---- creating ---- */

__attribute__((format(printf, 4, 5))) static int fail(
	struct targets *t, int code, const char **err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->err, sizeof(t->err), fmt, ap);
	va_end(ap);
	*err = t->err;
	return code;
}

/* Put PID into the list and its pidfd into the epoll set; an index or negative errno. */
static int add_process(struct targets *t, pid_t pid, bool created)
{
	struct epoll_event ev = {.events = EPOLLIN, .data.u32 = t->list.len};
	int fd;

	if (heapvec_reserve(&t->list, (uint64_t)t->list.len + 1))
		return -ENOMEM;
	fd = (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by itself */
	if (fd < 0)
		return -errno;
	if (epoll_ctl(t->epoll, EPOLL_CTL_ADD, fd, &ev)) {
		int e = -errno;

		close(fd);
		return e;
	}
	t->list.data[t->list.len] = (struct target_process){.pid = pid,
		.pidfd = fd,
		.created = created,
		.state = created ? HELD : RUNNING,
		.status = -1};
	return (int)t->list.len++;
}

#define DESCRIPTORS 65536 /* more than a tracer has */

/* Closes what execve(2) would close, except KEPT: who may trace us could take it from us. */
static void close_own(const int *kept, int n)
{
	for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++) {
		int flags = fcntl(fd, F_GETFD), i = 0;

		while (i < n && kept[i] != fd)
			i++;
		if (flags >= 0 && flags & FD_CLOEXEC && i == n)
			close(fd);
	}
}

/*
 * A process of a program that was given capabilities cannot be traced by one without
 * CAP_SYS_PTRACE, nor can its children, until they execute another program (ptrace(2),
 * PR_SET_DUMPABLE(2const)).  In the child: be as traceable as the program will be, then say so.
 */
static void become_traceable(int ready_fd)
{
	privilege_keep(0);
	prctl(PR_SET_DUMPABLE, 1);
	while (write(ready_fd, "", 1) < 0 && errno == EINTR)
		;
}

static void await_traceable(int ready_fd)
{
	char c;

	while (read(ready_fd, &c, 1) < 0 && errno == EINTR)
		;
}

/* In the child: wait until the parent has seized us, then become the program. */
__attribute__((noreturn)) static void child(
	const struct targets *t, char **argv, int go_fd, int err_fd)
{
	struct sigaction sa = {.sa_handler = SIG_DFL};
	int e;
	char c;

	for (int sig = 1; sig < NSIG; sig++) {
		sa.sa_handler = sigismember(&t->ignored, sig) ? SIG_IGN : SIG_DFL;
		sigaction(sig, &sa, NULL); /* fails for those that can't be changed */
	}
	if (privilege_is_lent()) {
		close_own((const int[]){go_fd, err_fd}, 2);
		become_traceable(err_fd);
	}
	/* a tracer that dies of SIGPIPE or SIGHUP has no time to kill it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* end of file: the parent has failed, or died */
	if (transfer_read(go_fd, &c, 1) != 1)
		_exit(127);
	sigprocmask(SIG_SETMASK, &t->mask, NULL);
	/* the program is searched in our PATH, whatever its environment says */
	execvpe(argv[0], argv, t->env.len ? t->env.data : environ);
	e = errno;
	while (write(err_fd, &e, sizeof(e)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Fork a child that waits for a byte on *GO and says on *ERR_FD why it couldn't execute ARGV. */
static pid_t fork_child(const struct targets *t, char **argv, int *go, int *err_fd)
{
	int go_fds[2], err_fds[2], e;
	sigset_t all, before;
	pid_t pid;

	if (pipe2(go_fds, O_CLOEXEC))
		return -errno;
	if (pipe2(err_fds, O_CLOEXEC)) {
		e = errno;
		close(go_fds[0]);
		close(go_fds[1]);
		return -e;
	}
	/* the caller's signal handlers must not run in the child */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	e = errno;
	if (!pid) {
		close(go_fds[1]);
		child(t, argv, go_fds[0], err_fds[1]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(go_fds[0]);
	close(err_fds[1]);
	*go = go_fds[1];
	*err_fd = err_fds[0];
	if (pid < 0) {
		close(*go);
		close(*err_fd);
		return -e;
	}
	return pid;
}

/*
 * Seize the child, let it execute and wait for that: 0, or 1 = it died afterwards, or negative
 * errno: it is gone, and *TRIED tells whether it got as far as execve(2).
 */
static int seize_and_exec(pid_t pid, int go, int err_fd, int *status, bool *tried)
{
	ssize_t n;
	int r, e;

	*tried = false;
	if (privilege_is_lent())
		await_traceable(err_fd);
	if (ptrace(PTRACE_SEIZE, pid, 0, STOP_OPTIONS)) {
		r = -errno;
		kill_child(pid, -1);
		return r;
	}
	r = transfer_write(go, "", 1);
	if (r) {
		kill_child(pid, -1);
		return r;
	}
	*tried = true;
	r = stop_after_exec(pid, status);
	if (r < 0)
		kill_child(pid, -1);
	if (r <= 0)
		return r;
	/* it is dead: of its own error, or killed meanwhile */
	n = transfer_read(err_fd, &e, sizeof(e));
	return n == sizeof(e) ? -e : 1;
}

static int create_held(struct targets *t, char **argv, enum target_stop where, const char **err)
{
	int go, err_fd, status = -1, r, at;
	pid_t pid = fork_child(t, argv, &go, &err_fd);
	bool tried;

	if (pid < 0)
		return fail(t, pid, err, "failed to create process: %s", strerror(-pid));
	at = add_process(t, pid, true);
	if (at < 0) {
		kill_child(pid, -1);
		r = at;
		tried = false;
	} else {
		r = seize_and_exec(pid, go, err_fd, &status, &tried);
	}
	close(go);
	close(err_fd);
	if (r < 0) {
		if (at >= 0)
			close(t->list.data[--t->list.len].pidfd); /* leaves the epoll set with it */
		return tried ? fail(t, r, err, "failed to execute %s: %s", argv[0], strerror(-r))
			     : fail(t, r, err, "failed to control %s: %s", argv[0], strerror(-r));
	}
	if (!r && stop_lost_ids(pid)) {
		kill_child(pid, -1);
		close(t->list.data[--t->list.len].pidfd);
		return fail(t, -EPERM, err,
			"failed to control %s: the kernel lets it have the user or group of its file only if dtrace has %s; start it by itself and use -p",
			argv[0], privilege_caps(PRIVILEGE_PROCESSES));
	}
	t->list.data[at].again = where == TARGET_STOP_EXEC;
	if (!r)
		r = stop_run(pid, where, &status);
	if (r == 1) {
		t->list.data[at].state = DEAD;
		t->list.data[at].status = status;
	}
	return pid;
}

int targets_create(struct targets *t, const char *cmd, enum target_stop where, const char **err)
{
	char unmatched, **argv = words_split(cmd, &unmatched);
	int r;

	if (unmatched)
		return fail(t, -EINVAL, err, "failed to execute \"%s\": %s %c", cmd,
			unmatched == '\\' ? "nothing follows" : "unmatched", unmatched);
	if (!argv)
		return fail(t, -ENOMEM, err, "%s", strerror(ENOMEM));
	if (argv[0])
		r = create_held(t, argv, where, err);
	else
		r = fail(t, -EINVAL, err, "failed to execute \"%s\": no command", cmd);
	free(argv);
	return r;
}

int targets_spawn(struct targets *t, char *const *argv, enum target_stop where, const char **err)
{
	if (!argv[0])
		return fail(t, -EINVAL, err, "failed to execute \"\": no command");
	return create_held(t, (char **)argv, where, err);
}

int targets_grab(struct targets *t, pid_t pid, const char **err)
{
	int r;

	for (unsigned int i = 0; i < t->list.len; i++)
		if (t->list.data[i].pid == pid)
			return 0;
	if (pid == getpid())
		return fail(t, -EINVAL, err, "process %d is dtrace itself", pid);
	r = pid > 0 ? add_process(t, pid, false) : -ESRCH;
	if (r >= 0)
		return 0;
	/* EINVAL, since 6.9 ENOENT: a thread's id and not a process's (pidfd_open(2)) */
	if (r == -EINVAL || r == -ENOENT)
		r = -ESRCH;
	return fail(t, r, err, "%s", strerror(-r));
}

int targets_resume(struct targets *t)
{
	int r = 0, status;

	for (unsigned int i = 0; i < t->list.len; i++) {
		struct target_process *p = &t->list.data[i];

		if (p->state != HELD)
			continue;
		p->state = RUNNING;
		if (p->again && exec_again(p->pid, &status) == 1) {
			p->state = DEAD;
			p->status = status;
			continue;
		}
		/* ESRCH: killed meanwhile, its death will be noticed */
		if (ptrace(PTRACE_DETACH, p->pid, 0, 0) && errno != ESRCH)
			r = -errno;
	}
	return r;
}

int targets_poll_fd(struct targets *t)
{
	return t->epoll;
}

static void tell_death(const struct target_process *p,
	void (*died)(void *arg, pid_t pid, const char *text), void *arg)
{
	int sig = p->status != -1 && WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;
	char text[96];

	if (sig && sigabbrev_np(sig))
		snprintf(text, sizeof(text), "pid %d terminated by SIG%s", p->pid,
			sigabbrev_np(sig));
	else if (sig)
		snprintf(text, sizeof(text), "pid %d terminated by signal %d", p->pid, sig);
	else if (p->status > 0)
		snprintf(text, sizeof(text), "pid %d exited with status %d", p->pid,
			WEXITSTATUS(p->status));
	else
		snprintf(text, sizeof(text), "pid %d has exited", p->pid);
	if (died)
		died(arg, p->pid, text);
}

/* The pidfd of P says that it has ended: collect it; whether that is so. */
static bool has_ended(struct target_process *p)
{
	pid_t r;

	if (p->state == DEAD || !p->created)
		return true;
	r = stop_waitpid(p->pid, &p->status, WNOHANG);
	if (r < 0)
		p->status = -1; /* SIGCHLD is ignored: nobody knows */
	return r < 0 || (r == p->pid && (WIFEXITED(p->status) || WIFSIGNALED(p->status)));
}

int targets_reap(struct targets *t, void (*died)(void *arg, pid_t pid, const char *text), void *arg)
{
	struct epoll_event ev[16];
	int n, alive = 0;
	bool progress = true;

	while (progress && (n = epoll_wait(t->epoll, ev, 16, 0)) > 0) {
		progress = false;
		for (int i = 0; i < n; i++) {
			struct target_process *p = &t->list.data[ev[i].data.u32];

			if (!has_ended(p))
				continue;
			epoll_ctl(t->epoll, EPOLL_CTL_DEL, p->pidfd, NULL);
			p->state = TOLD;
			progress = true;
			tell_death(p, died, arg);
		}
	}
	for (unsigned int i = 0; i < t->list.len; i++)
		alive += t->list.data[i].state != TOLD;
	return alive;
}

bool targets_has(const struct targets *t, pid_t pid)
{
	for (unsigned int i = 0; i < t->list.len; i++)
		if (t->list.data[i].pid == pid)
			return true;
	return false;
}

pid_t targets_nth(const struct targets *t, unsigned int i)
{
	return i < t->list.len ? t->list.data[i].pid : 0;
}

pid_t targets_first(const struct targets *t)
{
	return targets_nth(t, 0);
}

unsigned int targets_count(const struct targets *t)
{
	return t->list.len;
}
