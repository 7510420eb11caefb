/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * headers: getppid(socket) with packet headers in the socket's queue, which is where the kernel
 * has them: IPv4 and IPv6, whole and as a fragment, with TCP or UDP behind them.
 */
#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int pair[2];

static void show(const void *packet, size_t n)
{
	char rest[512];

	if (send(pair[0], packet, n, 0) != (ssize_t)n)
		exit(1);
	syscall(SYS_getppid, pair[1]);
	if (recv(pair[1], rest, sizeof(rest), 0) != (ssize_t)n)
		exit(1);
}

static void show_tcp(void)
{
	/* 12 bytes of options in each */
	struct {
		struct iphdr ip;
		unsigned char ip_options[12];
		struct tcphdr tcp;
		unsigned char tcp_options[12];
	} p = {
		.ip = {.version = 4,
			.ihl = 8,
			.tos = 0x1c,
			.tot_len = htons(1500),
			.id = htons(0xabcd),
			.frag_off = htons(IP_DF),
			.ttl = 63,
			.protocol = IPPROTO_TCP,
			.check = htons(0x8001),
			.saddr = htonl(0xc0000201),
			.daddr = htonl(0xc63364fe)},
		.tcp = {.th_sport = htons(65001),
			.th_dport = htons(80),
			.th_seq = htonl(0xfedcba98),
			.th_ack = htonl(0x89abcdef),
			.th_off = 8,
			.th_win = htons(0xfff0),
			.th_sum = htons(0x9002),
			.th_urp = htons(0x0102)},
	};

	for (int flags = 1; flags < 256; flags = flags * 2 + 1) {
		p.tcp.th_flags = flags;
		show(&p, sizeof(p));
	}
	/* the last fragment of three */
	p.ip.frag_off = htons(0x1fff);
	show(&p, sizeof(p));
	/* one before it */
	p.ip.frag_off = htons(0x2123);
	p.ip.protocol = 200;
	show(&p, sizeof(p));
}

static void show_udp(void)
{
	struct {
		struct ip6_hdr ip;
		struct udphdr udp;
	} p = {
		.ip = {.ip6_flow = htonl(0x6ab12345),
			.ip6_plen = htons(0x8123),
			.ip6_nxt = IPPROTO_UDP,
			.ip6_hlim = 254},
		.udp = {.uh_sport = htons(53),
			.uh_dport = htons(40000),
			.uh_ulen = htons(0x8123),
			.uh_sum = htons(0xa003)},
	};

	inet_pton(AF_INET6, "2001:db8:0:0:1::1", &p.ip.ip6_src);
	inet_pton(AF_INET6, "fe80::abcd", &p.ip.ip6_dst);
	show(&p, sizeof(p));
	p.ip.ip6_nxt = IPPROTO_ICMPV6;
	show(&p, sizeof(p));
}

int main(void)
{
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return 1;
	show_tcp();
	show_udp();
	return 0;
}
