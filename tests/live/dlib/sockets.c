/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * sockets: getppid(descriptor, what the socket's owner knows of it, 0, 0, 0) of TCP and UDP
 * sockets on the loopback interface.  That is what ss(8) has too, and what one can get in order to
 * move a connection to another machine (TCP_REPAIR).
 */
#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	char what[32], local[64], remote[64];
	int lport, rport, is_local, is_active, is_tcp;
	unsigned int snxt, rnxt, swnd, rwnd, rack, mss, rto, rtt, rtt_sd, cwnd, ssthresh, sent,
		received, snd_ws, rcv_ws;
} e;

static void must(long ret, const char *what)
{
	if (ret < 0) {
		perror(what);
		exit(1);
	}
}

/* As inet_ntoa6() has it: an address of version 4 is shown as one. */
static int put(char *text, const struct sockaddr_in6 *a)
{
	if (a->sin6_family == AF_INET)
		inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr, text, 64);
	else
		inet_ntop(AF_INET6, &a->sin6_addr, text, 64);
	if (!strncmp(text, "::ffff:", 7))
		memmove(text, text + 7, strlen(text + 7) + 1);
	return ntohs(a->sin6_port);
}

static void get(int fd, int what, void *value, socklen_t n)
{
	must(getsockopt(fd, IPPROTO_TCP, what, value, &n), "getsockopt");
}

static void set(int fd, int what, int value)
{
	must(setsockopt(fd, IPPROTO_TCP, what, &value, sizeof(value)), "setsockopt");
}

/* The connection's figures; nothing is under way. */
static void get_connection(int fd)
{
	struct tcp_repair_window w;
	struct tcp_info info;

	set(fd, TCP_REPAIR, TCP_REPAIR_ON);
	set(fd, TCP_REPAIR_QUEUE, TCP_SEND_QUEUE);
	get(fd, TCP_QUEUE_SEQ, &e.snxt, sizeof(e.snxt));
	set(fd, TCP_REPAIR_QUEUE, TCP_RECV_QUEUE);
	get(fd, TCP_QUEUE_SEQ, &e.rnxt, sizeof(e.rnxt));
	get(fd, TCP_REPAIR_WINDOW, &w, sizeof(w));
	set(fd, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP);
	get(fd, TCP_INFO, &info, sizeof(info));
	e.swnd = w.snd_wnd;
	e.rwnd = w.rcv_wnd;
	e.rack = w.rcv_wup;
	e.mss = info.tcpi_snd_mss;
	e.rto = info.tcpi_rto / 1000;
	e.rtt = info.tcpi_rtt / 1000;
	e.rtt_sd = info.tcpi_rttvar / 1000;
	e.cwnd = info.tcpi_snd_cwnd;
	e.ssthresh = info.tcpi_snd_ssthresh;
	e.snd_ws = info.tcpi_snd_wscale;
	e.rcv_ws = info.tcpi_rcv_wscale;
	e.sent = info.tcpi_bytes_acked;
	e.received = info.tcpi_bytes_received;
}

static void show(const char *what, int fd, int is_tcp, int is_active)
{
	struct sockaddr_in6 a = {0};
	socklen_t n = sizeof(a);

	memset(&e, 0, sizeof(e));
	strcpy(e.what, what);
	must(getsockname(fd, (void *)&a, &n), "getsockname");
	e.lport = put(e.local, &a);
	e.is_tcp = is_tcp;
	e.is_active = is_active;
	strcpy(e.remote, a.sin6_family == AF_INET ? "0.0.0.0" : "::");
	n = sizeof(a);
	if (!getpeername(fd, (void *)&a, &n)) {
		e.rport = put(e.remote, &a);
		if (is_tcp)
			get_connection(fd);
	}
	e.is_local = !strcmp(e.local, e.remote);
	syscall(SYS_getppid, fd, &e, 0, 0, 0);
}

static struct sockaddr_in6 address(const char *text)
{
	struct sockaddr_in6 a = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET6, text, &a.sin6_addr) == 1)
		return a;
	a.sin6_family = AF_INET;
	inet_pton(AF_INET, text, &((struct sockaddr_in *)&a)->sin_addr);
	return a;
}

/* A socket of FROM's family and address that listens, or just is there. */
static int bound(const char *from, int type)
{
	struct sockaddr_in6 a = address(from);
	int fd = socket(a.sin6_family, type, 0);

	must(fd, "socket");
	must(bind(fd, (void *)&a, sizeof(a)), "bind");
	return fd;
}

/* Connect FD with the port of PEER at address TO. */
static void connect_to(int fd, const char *to, int peer)
{
	struct sockaddr_in6 a = address(to), p;
	socklen_t n = sizeof(p);

	must(getsockname(peer, (void *)&p, &n), "getsockname");
	a.sin6_port = p.sin6_port;
	must(connect(fd, (void *)&a, sizeof(a)), "connect");
}

/* One end's bytes read at the other: none is under way then, once they are acknowledged. */
static void move(int from, int to, size_t n)
{
	static char bytes[70000];
	struct tcp_info info;

	must(send(from, bytes, n, 0) == (ssize_t)n ? 0 : -1, "send");
	must(recv(to, bytes, n, MSG_WAITALL) == (ssize_t)n ? 0 : -1, "recv");
	do
		get(from, TCP_INFO, &info, sizeof(info));
	while (info.tcpi_unacked);
}

static void tcp(const char *name, const char *server, const char *from, const char *to)
{
	int listener = bound(server, SOCK_STREAM), client = bound(from, SOCK_STREAM), accepted;
	char what[64];

	must(listen(listener, 5), "listen");
	snprintf(what, sizeof(what), "%s listener", name);
	show(what, listener, 1, 0);
	snprintf(what, sizeof(what), "%s bound", name);
	show(what, client, 1, 1);
	connect_to(client, to, listener);
	accepted = accept(listener, NULL, NULL);
	must(accepted, "accept");
	move(client, accepted, 70000);
	move(accepted, client, 33);
	snprintf(what, sizeof(what), "%s client", name);
	show(what, client, 1, 1);
	snprintf(what, sizeof(what), "%s server", name);
	show(what, accepted, 1, 0);
	close(client);
	close(accepted);
	close(listener);
}

static void udp(const char *name, const char *from, const char *to)
{
	int one = bound(from, SOCK_DGRAM), other = bound(to, SOCK_DGRAM);
	char what[64];

	snprintf(what, sizeof(what), "%s bound", name);
	show(what, one, 0, 0);
	connect_to(one, to, other);
	snprintf(what, sizeof(what), "%s connected", name);
	show(what, one, 0, 0);
	close(one);
	close(other);
}

int main(void)
{
	tcp("tcp", "127.0.0.1", "127.0.0.1", "127.0.0.1");
	tcp("tcp other", "0.0.0.0", "127.0.0.2", "127.0.0.1");
	tcp("tcp6", "::1", "::1", "::1");
	tcp("tcp mapped", "::", "127.0.0.1", "127.0.0.1");
	udp("udp", "127.0.0.1", "127.0.0.3");
	udp("udp6", "::1", "::1");
	return 0;
}
