/* SPDX-License-Identifier: Apache-2.0 */
/* passfd: open files in the messages of a Unix socket (SCM_RIGHTS, unix(7)). */
#ifndef CONFINE_PASSFD_H
#define CONFINE_PASSFD_H

#include <sys/socket.h>

#define PASSFD_MOST 2 /* descriptors of a message */

/* Control data of a message; must outlive sendmsg(2) or recvmsg(2). */
union passfd_room {
	char bytes[CMSG_SPACE(PASSFD_MOST * sizeof(int))];
	struct cmsghdr align;
};

/* Adds the N descriptors FDS to M, which is to be sent; they stay the caller's. */
void passfd_put(struct msghdr *m, union passfd_room *room, const int *fds, unsigned n);

/* Lets M receive N descriptors; further ones are closed, and msg_flags then has MSG_CTRUNC. */
void passfd_want(struct msghdr *m, union passfd_room *room, unsigned n);

/* Stores the N descriptors that came with M, which the caller closes; -1 for each that is absent.
 */
void passfd_take(struct msghdr *m, int *fds, unsigned n);

#endif
