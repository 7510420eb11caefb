/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * net: packets over the loopback interface, a known number of each, all by one thread.
 *
 *	net [-6] [-h] [-p PORT] WHAT
 *	tcp N SIZE	a connection, N writes of SIZE bytes each way, an orderly end, the client's
 *			first
 *	refused		connect(2) to a port where nobody listens
 *	reset		a connection that the client ends by a reset
 *	retransmit	a connection whose server loses what comes for a while: one segment is
 *			sent again
 *	udp N SIZE	N datagrams of SIZE bytes each way
 *	unheard N SIZE	N datagrams to a port where nobody listens
 *	ping N SIZE	N echo requests, of SIZE bytes after ICMP's 8, and their replies
 *	lost N SIZE	N datagrams that the device does not take
 *
 * The addresses are 127.0.0.1, with -6 ::1; the server's port is 5000 and the client's 5001, or
 * PORT and the next.  It makes a network namespace of its own; -h keeps the one it is in, with
 * ports from the kernel if there is no -p.  It prints what the packets and the sockets are, those
 * of data and what every kernel sends alike, TCP_STATE_* as numbers, as each socket goes through
 * them, and of TCP_INFO, before the end:
 *
 *	data tcp|udp|icmp SADDR SPORT DADDR DPORT BYTES		one line for each, without headers
 *	syn|synack|rst SADDR SPORT DADDR DPORT
 *	connect-request|connect-established LADDR LPORT RADDR RPORT
 *	connect-refused|accept-established LADDR LPORT RADDR RPORT
 *	state client|server|listener LPORT OLD NEW
 *	info client|server LPORT NAME VALUE...
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "facts.h"

static int family = AF_INET;
static bool here; /* in the namespace it was started in */
static int port;  /* the server's; 0: the kernel's choice */
static char buffer[65536];

/* ---- addresses */

struct address {
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
	socklen_t length;
};

static struct address loopback(int number)
{
	struct address a = {.length = sizeof(a.in)};

	a.sa.sa_family = family;
	if (family == AF_INET) {
		a.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a.in.sin_port = htons(number);
		return a;
	}
	a.in6.sin6_addr = in6addr_loopback;
	a.in6.sin6_port = htons(number);
	a.length = sizeof(a.in6);
	return a;
}

static const char *loopback_name(void)
{
	return family == AF_INET ? "127.0.0.1" : "::1";
}

static int local_port(int fd)
{
	struct address a = {.length = sizeof(a.in6)};

	if (getsockname(fd, &a.sa, &a.length))
		fail(1, "getsockname");
	return ntohs(a.in.sin_port);
}

/* A socket of that type, bound to a port; 0 for one that the kernel chooses. */
static int bound(int type, int number)
{
	struct address a = loopback(number);
	int fd = socket(family, type | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		fail(1, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, &a.sa, a.length))
		fail(1, "bind");
	return fd;
}

static void between(const char *what, int from, int to)
{
	fact("%s %s %d %s %d", what, loopback_name(), from, loopback_name(), to);
}

static void data(const char *protocol, int from, int to, long bytes)
{
	fact("data %s %s %d %s %d %ld", protocol, loopback_name(), from, loopback_name(), to,
		bytes);
}

static void states(const char *who, int number, ...)
{
	va_list args;
	int old, next;

	va_start(args, number);
	for (old = va_arg(args, int); (next = va_arg(args, int)); old = next)
		fact("state %s %d %d %d", who, number, old, next);
	va_end(args);
}

/* ---- TCP */

enum {
	ESTABLISHED = 1,
	SYN_SENT,
	SYN_RECV,
	FIN_WAIT1,
	FIN_WAIT2,
	TIME_WAIT,
	CLOSED,
	CLOSE_WAIT,
	LAST_ACK,
	LISTEN
};

struct connection {
	int listener, client, server;
	int cport, sport;
};

static void connect_to(int fd, int number)
{
	struct address a = loopback(number);

	if (connect(fd, &a.sa, a.length))
		fail(1, "connect");
}

static struct connection connection_open(void)
{
	struct connection c;
	int on = 1;

	c.listener = bound(SOCK_STREAM, port);
	if (listen(c.listener, 8))
		fail(1, "listen");
	c.sport = local_port(c.listener);
	c.client = bound(SOCK_STREAM, port ? port + 1 : 0);
	c.cport = local_port(c.client);
	connect_to(c.client, c.sport);
	c.server = accept4(c.listener, NULL, NULL, SOCK_CLOEXEC);
	if (c.server < 0)
		fail(1, "accept");
	setsockopt(c.client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(c.server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	between("syn", c.cport, c.sport);
	between("synack", c.sport, c.cport);
	between("connect-request", c.cport, c.sport);
	between("connect-established", c.cport, c.sport);
	between("accept-established", c.sport, c.cport);
	states("listener", c.sport, CLOSED, LISTEN, CLOSED, 0);
	states("client", c.cport, CLOSED, SYN_SENT, ESTABLISHED, 0);
	states("server", c.sport, LISTEN, SYN_RECV, ESTABLISHED, 0);
	return c;
}

static void read_all(int fd, long bytes)
{
	while (bytes > 0) {
		ssize_t n = read(fd, buffer, bytes);

		if (n <= 0)
			fail(1, "read");
		bytes -= n;
	}
}

static void carry(int from, int to, int from_port, int to_port, long size)
{
	if (write(from, buffer, size) != size)
		fail(1, "write");
	read_all(to, size);
	data("tcp", from_port, to_port, size);
}

static void info(const char *who, int fd, int number)
{
	struct tcp_info i;
	socklen_t length = sizeof(i);

	memset(&i, 0, sizeof(i));
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &i, &length))
		fail(1, "TCP_INFO");
	fact("info %s %d state %u segs_out %u segs_in %u data_segs_out %u data_segs_in %u "
	     "bytes_acked %llu "
	     "bytes_received %llu retrans %u mss %u cwnd %u ssthresh %u snd_ws %u rcv_ws %u rto %u "
	     "rtt %u rttvar %u",
		who, number, i.tcpi_state, i.tcpi_segs_out, i.tcpi_segs_in, i.tcpi_data_segs_out,
		i.tcpi_data_segs_in, (unsigned long long)i.tcpi_bytes_acked,
		(unsigned long long)i.tcpi_bytes_received, i.tcpi_total_retrans, i.tcpi_snd_mss,
		i.tcpi_snd_cwnd, i.tcpi_snd_ssthresh, i.tcpi_snd_wscale, i.tcpi_rcv_wscale,
		i.tcpi_rto, i.tcpi_rtt, i.tcpi_rttvar);
}

/* The client's end first, then the server's. */
static void connection_end(struct connection *c)
{
	shutdown(c->client, SHUT_WR);
	if (read(c->server, buffer, 1) != 0)
		fail(1, "no end");
	close(c->server);
	if (read(c->client, buffer, 1) != 0)
		fail(1, "no end");
	close(c->client);
	close(c->listener);
	states("client", c->cport, ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSED, 0);
	states("server", c->sport, ESTABLISHED, CLOSE_WAIT, LAST_ACK, CLOSED, 0);
}

static int net_tcp(long n, long size)
{
	struct connection c = connection_open();

	for (long i = 0; i < n; i++) {
		carry(c.client, c.server, c.cport, c.sport, size);
		carry(c.server, c.client, c.sport, c.cport, size);
	}
	info("client", c.client, c.cport);
	info("server", c.server, c.sport);
	connection_end(&c);
	return 0;
}

static int net_refused(void)
{
	int closed = bound(SOCK_STREAM, port), sport = local_port(closed),
	    fd = bound(SOCK_STREAM, port ? port + 1 : 0);
	int cport = local_port(fd);
	struct address a = loopback(sport);

	/* bound and not listening: nobody else gets that port meanwhile */
	if (!connect(fd, &a.sa, a.length) || errno != ECONNREFUSED)
		fail(1, "connect");
	between("syn", cport, sport);
	between("rst", sport, cport);
	between("connect-request", cport, sport);
	between("connect-refused", cport, sport);
	between("accept-refused", sport, cport);
	states("client", cport, CLOSED, SYN_SENT, CLOSED, 0);
	return 0;
}

static int net_reset(void)
{
	struct linger now = {.l_onoff = 1};
	struct connection c = connection_open();

	carry(c.client, c.server, c.cport, c.sport, 100);
	setsockopt(c.client, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(c.client);
	between("rst", c.cport, c.sport);
	if (read(c.server, buffer, 1) >= 0 || errno != ECONNRESET)
		fail(1, "no reset");
	close(c.server);
	close(c.listener);
	states("client", c.cport, ESTABLISHED, CLOSED, 0);
	states("server", c.sport, ESTABLISHED, CLOSED, 0);
	return 0;
}

static int net_retransmit(void)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = {1, &nothing};
	struct connection c = connection_open();
	struct tcp_info i = {0};
	int none = 0;

	carry(c.client, c.server, c.cport, c.sport, 100);
	if (setsockopt(c.server, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		fail(1, "filter");
	if (write(c.client, buffer, 200) != 200)
		fail(1, "write");
	data("tcp", c.cport, c.sport, 200);
	/* until it has been sent again at least once, to nobody */
	while (!i.tcpi_total_retrans) {
		socklen_t length = sizeof(i);

		usleep(2000);
		if (getsockopt(c.client, IPPROTO_TCP, TCP_INFO, &i, &length))
			fail(1, "TCP_INFO");
	}
	setsockopt(c.server, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof(none));
	read_all(c.server, 200);
	info("client", c.client, c.cport);
	info("server", c.server, c.sport);
	connection_end(&c);
	return 0;
}

/* ---- UDP, ICMP */

static int net_udp(long n, long size, bool heard)
{
	int server = bound(SOCK_DGRAM, port), client = bound(SOCK_DGRAM, port ? port + 1 : 0);
	int sport = local_port(server), cport = local_port(client);

	connect_to(client, sport);
	if (heard)
		connect_to(server, cport);
	else
		close(server);
	for (long i = 0; i < n; i++) {
		if (send(client, buffer, size, 0) != size)
			fail(1, "send");
		data("udp", cport, sport, size);
		if (!heard) {
			/* what ICMP told of this one; the next send(2) would fail with it */
			if (recv(client, buffer, size, 0) >= 0 || errno != ECONNREFUSED)
				fail(1, "not refused");
			continue;
		}
		if (recv(server, buffer, sizeof(buffer), 0) != size ||
			send(server, buffer, size, 0) != size ||
			recv(client, buffer, sizeof(buffer), 0) != size)
			fail(1, "datagram");
		data("udp", sport, cport, size);
	}
	return 0;
}

/* A queue on the loopback device in which there is room for nothing. */
static void no_room(void)
{
	struct {
		struct nlmsghdr head;
		struct tcmsg tc;
		struct rtattr kind;
		char name[8];
		struct rtattr options;
		struct tc_fifo_qopt none;
	} m = {
		.head = {.nlmsg_len = sizeof(m),
			.nlmsg_type = RTM_NEWQDISC,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK},
		.tc = {.tcm_ifindex = if_nametoindex("lo"), .tcm_parent = TC_H_ROOT},
		.kind = {.rta_len = RTA_LENGTH(6), .rta_type = TCA_KIND},
		.name = "pfifo",
		.options = {.rta_len = RTA_LENGTH(sizeof(struct tc_fifo_qopt)),
			.rta_type = TCA_OPTIONS},
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[1024];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (send(fd, &m, sizeof(m), 0) != sizeof(m) || recv(fd, &answer, sizeof(answer), 0) <= 0)
		fail(1, "netlink");
	errno = -answer.error.error;
	if (answer.head.nlmsg_type != NLMSG_ERROR || errno)
		fail(1, "pfifo");
	close(fd);
}

static int net_lost(long n, long size)
{
	int server = bound(SOCK_DGRAM, port), client = bound(SOCK_DGRAM, port + 1);

	no_room();
	connect_to(client, port);
	for (long i = 0; i < n; i++) {
		if (send(client, buffer, size, 0) != size)
			fail(1, "send");
		data("udp", port + 1, port, size);
	}
	if (recv(server, buffer, sizeof(buffer), MSG_DONTWAIT) >= 0)
		fail(1, "not lost");
	return 0;
}

static int net_ping(long n, long size)
{
	int v6 = family == AF_INET6,
	    fd = socket(family, SOCK_RAW, v6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
	struct address a = loopback(0);

	if (fd < 0)
		fail(1, "socket");
	for (long i = 0; i < n; i++) {
		struct icmphdr echo = {
			.type = v6 ? ICMP6_ECHO_REQUEST : ICMP_ECHO, .un.echo.sequence = htons(i)};
		struct pollfd p = {.fd = fd, .events = POLLIN};
		unsigned sum = 0;

		memset(buffer, 0, 8 + size);
		memcpy(buffer, &echo, sizeof(echo));
		/* of ICMPv6 the kernel makes it; the rest is zeros */
		for (int k = 0; k < 8; k += 2)
			sum += *(unsigned short *)(buffer + k);
		echo.checksum = ~((sum & 0xffff) + (sum >> 16));
		memcpy(buffer, &echo, sizeof(echo));
		if (sendto(fd, buffer, 8 + size, 0, &a.sa, a.length) != 8 + size)
			fail(1, "send");
		data("icmp", 0, 0, size);
		data("icmp", 0, 0, size);
		/* request and reply both come back to such a socket */
		for (int k = 0; k < 2; k++) {
			if (poll(&p, 1, 5000) != 1 ||
				recv(fd, buffer + 1024, sizeof(buffer) - 1024, 0) <= 0)
				fail(1, "no reply");
		}
	}
	return 0;
}

/* ---- */

static void lo_up(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r = {.ifr_name = "lo"};

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &r))
		fail(1, "lo");
	if (!(r.ifr_flags & IFF_UP)) {
		r.ifr_flags |= IFF_UP;
		if (ioctl(fd, SIOCSIFFLAGS, &r))
			fail(1, "lo");
	}
	close(fd);
}

static int net(const char *what, long n, long size)
{
	if (size < 0 || size > 32768)
		return 2;
	if (!strcmp(what, "tcp"))
		return net_tcp(n, size);
	if (!strcmp(what, "refused"))
		return net_refused();
	if (!strcmp(what, "reset"))
		return net_reset();
	if (!strcmp(what, "retransmit"))
		return net_retransmit();
	if (!strcmp(what, "udp"))
		return net_udp(n, size, true);
	if (!strcmp(what, "unheard"))
		return net_udp(n, size, false);
	if (!strcmp(what, "lost") && !here)
		return net_lost(n, size);
	if (!strcmp(what, "ping"))
		return net_ping(n, size);
	fprintf(stderr, "net: what is %s?\n", what);
	return 2;
}

int main(int argc, char **argv)
{
	int opt, i;

	while ((opt = getopt(argc, argv, "6hp:")) != -1) {
		if (opt == '6')
			family = AF_INET6;
		else if (opt == 'h')
			here = true;
		else if (opt == 'p')
			port = atoi(optarg);
		else
			return 2;
	}
	i = optind;
	if (!here) {
		if (unshare(CLONE_NEWNET))
			fail(1, "no network namespace");
		if (!port)
			port = 5000;
	}
	lo_up();
	return net(i < argc ? argv[i] : "", i + 1 < argc ? atol(argv[i + 1]) : 3,
		i + 2 < argc ? atol(argv[i + 2]) : 100);
}
