// SPDX-License-Identifier: Apache-2.0
/* Open files in messages: as many as were sent and asked for, and nothing stays open. */
#define _GNU_SOURCE
#include "confine/passfd.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Sends the N descriptors SENT and asks for WANTED: how many come, and if some were left out. */
static int pass(const int *sent, unsigned n, unsigned wanted, int *got, int *cut)
{
	char byte = 'x';
	struct iovec iov = {&byte, 1};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	int pair[2], come = 0;

	CHECK_INT(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	passfd_put(&m, &room, sent, n);
	CHECK_INT(sendmsg(pair[0], &m, 0), 1);
	memset(&m, 0, sizeof(m));
	m.msg_iov = &iov;
	m.msg_iovlen = 1;
	passfd_want(&m, &room, wanted);
	CHECK_INT(recvmsg(pair[1], &m, MSG_CMSG_CLOEXEC), 1);
	passfd_take(&m, got, wanted);
	for (unsigned i = 0; i < wanted; i++)
		come += got[i] >= 0;
	*cut = (m.msg_flags & MSG_CTRUNC) != 0;
	close(pair[0]);
	close(pair[1]);
	return come;
}

static bool is_same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int main(void)
{
	int null = open("/dev/null", O_RDONLY), root = open("/", O_RDONLY), cut;
	int sent[] = {null, root}, got[PASSFD_MOST], before = open_files();

	CHECK_INT(pass(sent, 0, 2, got, &cut), 0);
	CHECK_INT(cut, 0);
	CHECK_INT(pass(sent, 1, 2, got, &cut), 1);
	CHECK(got[0] != null && is_same_file(got[0], null));
	CHECK_INT(fcntl(got[0], F_GETFD), FD_CLOEXEC);
	close(got[0]);
	CHECK_INT(pass(sent, 2, 2, got, &cut), 2);
	CHECK(is_same_file(got[0], null) && is_same_file(got[1], root));
	CHECK_INT(cut, 0);
	close(got[0]);
	close(got[1]);

	/* one more than was asked for */
	CHECK_INT(pass(sent, 2, 1, got, &cut), 1);
	CHECK(is_same_file(got[0], null));
	CHECK_INT(cut, 1);
	close(got[0]);
	CHECK_INT(open_files(), before);
	return test_done();
}
