/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * again: three connections to a listener with room for one, none of which is accepted, and
 * getppid(the listener's port, how often a segment was sent again) when one was.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N 3

int main(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int listener = socket(AF_INET, SOCK_STREAM, 0), fds[N];
	socklen_t n = sizeof(a);
	long again = 0;

	if (bind(listener, (void *)&a, sizeof(a)) || listen(listener, 0) ||
		getsockname(listener, (void *)&a, &n))
		return 1;
	syscall(SYS_getppid, ntohs(a.sin_port), -1);
	for (int i = 0; i < N; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(fds[i], (void *)&a, sizeof(a));
	}
	for (int ms = 0; ms < 8000 && !again; ms += 100) {
		usleep(100000);
		for (int i = 0; i < N; i++) {
			struct tcp_info info;

			n = sizeof(info);
			if (getsockopt(fds[i], IPPROTO_TCP, TCP_INFO, &info, &n))
				return 1;
			again += info.tcpi_total_retrans;
		}
	}
	syscall(SYS_getppid, 0, again);
	return 0;
}
