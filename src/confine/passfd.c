// SPDX-License-Identifier: Apache-2.0
/* Sends and receives open files. */
#include "confine/passfd.h"

#include <string.h>

void passfd_put(struct msghdr *m, union passfd_room *room, const int *fds, unsigned n)
{
	struct cmsghdr *c = &room->align;

	if (!n)
		return;
	memset(room, 0, sizeof(*room));
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	m->msg_control = room;
	m->msg_controllen = CMSG_SPACE(n * sizeof(int));
}

void passfd_want(struct msghdr *m, union passfd_room *room, unsigned n)
{
	m->msg_control = room;
	m->msg_controllen = CMSG_LEN(n * sizeof(int)); /* CMSG_SPACE() could hold one more */
}

void passfd_take(struct msghdr *m, int *fds, unsigned n)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(m);
	size_t size = 0;

	for (unsigned i = 0; i < n; i++)
		fds[i] = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		size = c->cmsg_len - CMSG_LEN(0);
	if (size && size <= n * sizeof(int))
		memcpy(fds, CMSG_DATA(c), size);
}
