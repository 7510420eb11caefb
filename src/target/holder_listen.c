// SPDX-License-Identifier: Apache-2.0
/* The listener: answers the kernel's questions, most of them with what the tracer says. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "confine/passfd.h"
#include "target/holder_int.h"

#define MOST_WAITING 256
/*
 * A process goes on when this time has passed since it asked, and since the tracer was last seen at
 * work on a file; and in any case after HOLDER_LONGEST_MS.
 */
#define PATIENCE_MS 1000
#define BEAT_MS	    200 /* the guard hears of us at least so often */

struct listener {
	pid_t tracer, ours; /* neither is held */
	int ours_stat;	    /* /proc/PID/stat of `ours`, or -1 */
	bool family;	    /* only these are held at open(2) */
	bool looks;	    /* the tracer looks at a file */
	/* CLOCK_MONOTONIC, ms: the last look at the tracer's state; when it was at work last */
	int64_t checked, at_work;
	uint64_t mask;
	uint64_t next_id;
	struct waiting {
		uint64_t id;
		int64_t since; /* CLOCK_MONOTONIC, ms */
		int fd;	       /* the event's */
		pid_t pid;
	} waiting[MOST_WAITING];
	uint32_t nwaiting;
	char mounts[65536];
};

/* ---- messages ---- */

bool holder_send_with(int socket, const void *data, size_t size, int fd)
{
	struct iovec iov = {(void *)data, size};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;

	passfd_put(&m, &room, &fd, fd >= 0);
	return sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

ssize_t holder_recv_with(int socket, void *data, size_t size, int *fd)
{
	struct iovec iov = {data, size};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	ssize_t n;

	*fd = -1;
	passfd_want(&m, &room, 1);
	n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n > 0)
		passfd_take(&m, fd, 1);
	return n;
}

/* ---- time ---- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- file systems ---- */

/*
 * "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the fifth field is the mount
 * point (proc(5)), in which blanks and backslashes are octal numbers.
 */
static char *mount_point(char *line)
{
	char *to, *p = line, *start;

	for (int i = 0; i < 4 && p; i++) {
		p = strchr(p, ' ');
		p += p != NULL;
	}
	if (!p)
		return NULL;
	for (start = to = p; *p && *p != ' '; p++) {
		if (*p == '\\' && p[1] && p[2] && p[3]) {
			*to++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return start;
}

/* Those of the kernel's own that have no programs; a question about them could come from us. */
static bool has_programs(const char *line)
{
	static const char *const without[] = {"proc", "sysfs", "cgroup", "cgroup2", "devpts", "bpf",
		"tracefs", "debugfs", "securityfs", "pstore", "mqueue", "configfs", "fusectl",
		"autofs", "efivarfs", "binfmt_misc", "rpc_pipefs", "selinuxfs"};
	const char *type = strstr(line, " - ");
	size_t len;

	if (!type)
		return false;
	type += 3;
	len = strcspn(type, " ");
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (strlen(without[i]) == len && !memcmp(without[i], type, len))
			return false;
	return true;
}

/*
 * Listen to the file systems that are mounted; a second mark on one is none.  Returns how many
 * there are.
 */
static uint64_t mark_mounts(struct listener *l)
{
	uint64_t marked = 0;
	ssize_t n = 0, got;
	char *line, *next;

	lseek(HOLDER_MOUNTS, 0, SEEK_SET);
	while (n < (ssize_t)sizeof(l->mounts) - 1 &&
		(got = read(HOLDER_MOUNTS, l->mounts + n, sizeof(l->mounts) - 1 - (size_t)n)) > 0)
		n += got;
	l->mounts[n] = '\0';
	for (line = l->mounts; *line; line = next) {
		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = '\0';
		if (has_programs(line) && (line = mount_point(line)) != NULL)
			marked += !fanotify_mark(HOLDER_FANOTIFY,
				FAN_MARK_ADD | FAN_MARK_FILESYSTEM, l->mask, AT_FDCWD, line);
	}
	return marked;
}

/* ---- answers ---- */

static void allow(int fd)
{
	const struct fanotify_response r = {.fd = fd, .response = FAN_ALLOW};

	(void)!write(HOLDER_FANOTIFY, &r, sizeof(r));
	close(fd);
}

static void take_out(struct listener *l, uint32_t i, bool forever)
{
	struct waiting *w = &l->waiting[i];

	/* a change of the file's content takes the mark away */
	if (forever)
		fanotify_mark(HOLDER_FANOTIFY, FAN_MARK_ADD | FAN_MARK_IGNORED_MASK, l->mask, w->fd,
			NULL);
	allow(w->fd);
	*w = l->waiting[--l->nwaiting];
}

static void exempt(struct listener *l, pid_t pid, int stat)
{
	if (l->ours_stat >= 0)
		close(l->ours_stat);
	l->ours = pid;
	l->ours_stat = stat;
}

/*
 * Has a child read the arguments for which W waits: the memory of a process can be a file system's
 * that does not answer, and nobody but the child may wait for that.  It must not have the
 * questions, whose processes would wait for its end.
 */
static void tell(const struct waiting *w)
{
	const struct holder_arguments unknown = {.id = w->id};
	pid_t child = fork();

	if (!child) {
		close(HOLDER_FANOTIFY);
		alarm(1);
		holder_send_arguments(HOLDER_ARGUMENTS, w->id, w->pid, w->fd);
		_exit(0);
	}
	if (child < 0)
		(void)send(HOLDER_ARGUMENTS, &unknown, offsetof(struct holder_arguments, text),
			MSG_NOSIGNAL);
}

static void take_answer(struct listener *l, const struct holder_answer *a)
{
	l->at_work = now_ms();
	l->looks = a->what == HOLDER_LOOKS || a->what == HOLDER_TELL;
	for (uint32_t i = 0; a->what == HOLDER_TELL && i < l->nwaiting; i++)
		if (l->waiting[i].id == a->id)
			tell(&l->waiting[i]);
	for (uint32_t i = 0; !l->looks && i < l->nwaiting; i++) {
		if (l->waiting[i].id != a->id)
			continue;
		take_out(l, i, a->what == HOLDER_FOREVER);
		break;
	}
}

/* False: the tracer has ended. */
static bool read_answers(struct listener *l)
{
	struct holder_answer a;
	ssize_t n;
	int fd;

	while ((n = holder_recv_with(HOLDER_SOCKET, &a, sizeof(a), &fd)) == sizeof(a)) {
		if (a.what == HOLDER_EXEMPT)
			exempt(l, a.ours, fd);
		else if (a.what == HOLDER_FORGET) /* files are ignored by marks of inodes */
			fanotify_mark(HOLDER_FANOTIFY, FAN_MARK_FLUSH, 0, AT_FDCWD, NULL);
		else
			take_answer(l, &a);
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

bool holder_is_at_work(int stat)
{
	char text[128]; /* "PID (COMM) STATE": COMM has 64 bytes at most (proc(5)) */
	ssize_t n = stat < 0 ? -1 : pread(stat, text, sizeof(text), 0);
	const char *end = n > 0 ? memrchr(text, ')', (size_t)n) : NULL;

	return end && end + 2 < text + n && (end[2] == 'R' || end[2] == 'D');
}

static void let_go_of_old(struct listener *l)
{
	int64_t now = now_ms();

	if (l->looks && now - l->checked >= BEAT_MS) {
		l->checked = now;
		if (holder_is_at_work(HOLDER_TRACER) || holder_is_at_work(l->ours_stat))
			l->at_work = now;
	}
	for (uint32_t i = l->nwaiting; i-- > 0;) {
		int64_t since = l->waiting[i].since;
		int64_t heard = since > l->at_work ? since : l->at_work;

		if (now - heard >= PATIENCE_MS || now - since >= HOLDER_LONGEST_MS)
			take_out(l, i, false);
	}
}

/* ---- questions ---- */

/* Ask the tracer about the file of event E; false: it cannot be asked. */
static bool ask(struct listener *l, const struct fanotify_event_metadata *e)
{
	const struct holder_question q = {
		.id = l->next_id++, .pid = e->pid, .exec = (e->mask & FAN_OPEN_EXEC_PERM) != 0};

	if (l->nwaiting == MOST_WAITING || !holder_send_with(HOLDER_SOCKET, &q, sizeof(q), e->fd))
		return false;
	l->waiting[l->nwaiting++] = (struct waiting){q.id, now_ms(), e->fd, e->pid};
	return true;
}

/*
 * True if the tracer has to be asked about E.  It can be busy with the last file for long, and a
 * process that nobody traces need not wait for that; but if it executes a program, the tracer has
 * to know whether this copies code that has probes.
 */
static bool concerns(const struct listener *l, const struct fanotify_event_metadata *e)
{
	uint32_t pid = (uint32_t)e->pid;
	uint64_t value[2];
	union bpf_attr a;

	if (e->pid == l->tracer || e->pid == l->ours)
		return false;
	if (!l->family || e->mask & FAN_OPEN_EXEC_PERM)
		return true;
	memset(&a, 0, sizeof(a));
	a.map_fd = HOLDER_FAMILY;
	a.key = (uintptr_t)&pid;
	a.value = (uintptr_t)value;
	return !syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &a, sizeof(a)) || errno != ENOENT;
}

static void read_events(struct listener *l)
{
	struct fanotify_event_metadata events[64], *e = events;
	ssize_t n = read(HOLDER_FANOTIFY, events, sizeof(events));

	for (; FAN_EVENT_OK(e, n); e = FAN_EVENT_NEXT(e, n)) {
		if (e->vers != FANOTIFY_METADATA_VERSION || e->fd < 0)
			continue;
		if (!concerns(l, e) || !ask(l, e))
			allow(e->fd);
	}
}

void holder_listen(pid_t tracer, bool opens, bool family)
{
	static const char beat = '.';
	struct listener l = {
		.tracer = tracer, .ours_stat = -1, .family = family, .mask = FAN_OPEN_EXEC_PERM};
	struct holder_question begun = {0};
	struct pollfd fds[] = {{.fd = HOLDER_FANOTIFY, .events = POLLIN},
		{.fd = HOLDER_SOCKET, .events = POLLIN}, {.fd = HOLDER_MOUNTS, .events = POLLPRI}};

	signal(SIGCHLD, SIG_IGN); /* nobody waits for those of tell() */
	if (opens)
		l.mask |= FAN_OPEN_PERM;
	begun.id = mark_mounts(&l);
	(void)send(HOLDER_SOCKET, &begun, sizeof(begun), MSG_NOSIGNAL);
	for (;;) {
		poll(fds, 3, BEAT_MS);
		(void)!write(HOLDER_PULSE, &beat, 1);
		if (fds[0].revents & POLLIN)
			read_events(&l);
		if (!read_answers(&l)) /* the tracer has ended */
			return;
		if (fds[2].revents & (POLLPRI | POLLERR))
			mark_mounts(&l);
		let_go_of_old(&l);
	}
}
