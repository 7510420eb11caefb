// SPDX-License-Identifier: Apache-2.0
/* Runs tshark and feeds it the packets of pcap(). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/transfer.h"
#include "print/pcap.h"

/*
 * ^C is for us: tshark shall see its input's end, not the signal.  What it says as root about being
 * root is not wanted.
 */
static int set_up(posix_spawn_file_actions_t *acts, posix_spawnattr_t *attr, int in, int out)
{
	sigset_t mask;
	int err;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	sigaddset(&mask, SIGINT);
	err = posix_spawn_file_actions_adddup2(acts, in, STDIN_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(acts, out, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_addopen(
			acts, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!err)
		err = posix_spawnattr_setsigmask(attr, &mask);
	if (!err)
		err = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK);
	return err;
}

static int spawn(struct viewer *v, int in, int out)
{
	static const char *const argv[] = {"tshark", "-l", "-n", "-r", "-", NULL};
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	int err = posix_spawn_file_actions_init(&acts);

	if (err)
		return -err;
	err = posix_spawnattr_init(&attr);
	if (!err) {
		err = set_up(&acts, &attr, in, out);
		if (!err)
			err = posix_spawnp(&v->pid, "tshark", &acts, &attr, (char **)argv, environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&acts);
	return -err;
}

/* Writes to a pipe without SIGPIPE: tshark reads from pipes but not from sockets. */
static int write_all(int fd, const char *data, size_t len)
{
	const struct timespec none = {0};
	sigset_t pipe, before, pending;
	int err;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	err = transfer_write(fd, data, len);
	/* take back the one that we caused */
	if (err == -EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int start_viewer(struct viewers *vs, uint32_t link, int out)
{
	struct viewer *v = &vs->v[vs->n];
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	err = spawn(v, ends[0], out);
	close(ends[0]);
	if (err) {
		close(ends[1]);
		return err;
	}
	v->fd = ends[1];
	v->link = link;
	vs->n++;
	return 0;
}

int viewers_show(struct viewers *vs, const struct packet *p, int out)
{
	struct buf b = {0};
	uint32_t i = 0;
	int err = 0;

	if (vs->failed)
		return -ENOENT;
	while (i < vs->n && vs->v[i].link != p->link)
		i++;
	if (i == MAX_VIEWERS)
		return -ENOSPC;
	if (i == vs->n) {
		err = start_viewer(vs, p->link, out);
		pcap_put_header(&b, p->link);
	}
	pcap_put_packet(&b, p);
	if (!err)
		err = b.failed ? -ENOMEM : write_all(vs->v[i].fd, b.data, b.len);
	vs->failed = err;
	buf_free(&b);
	return err;
}

void viewers_finish(struct viewers *vs)
{
	for (uint32_t i = 0; i < vs->n; i++)
		close(vs->v[i].fd);
	for (uint32_t i = 0; i < vs->n; i++)
		while (waitpid(vs->v[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
	vs->n = 0;
}
