// SPDX-License-Identifier: Apache-2.0
/* Implements the udp provider: datagrams to and from sockets. */
#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"
#include "prov/net.h"

/* sk_buff, sock, IP header, udp_sock, UDP header */
#define ARGS                                                                                \
	5,                                                                                  \
	{                                                                                   \
		{0, "struct sk_buff *", "pktinfo_t *"}, {1, "struct sock *", "csinfo_t *"}, \
			{2, "struct iphdr *", "ipinfo_t *"},                                \
			{3, "struct udp_sock *", "udpsinfo_t *"},                           \
			{4, "struct udphdr *", "udpinfo_t *"},                              \
	}

static const struct derived_probe probes[] = {
	{"send", ARGS},
	{"receive", ARGS},
	{NULL, 0, {}},
};

#define SOCKET NET_IS_TYPE("((struct sock *)arg1)", K_SOCK_DGRAM) " ? (struct udp_sock *)arg1 : 0"

/* The last is the direction. */
#define OUT .args = {"skb", "skb->sk", NET_IP, SOCKET, NET_UDP, NULL, NULL, "0"}
#define IN  .args = {"skb", "skb->sk", NET_IP, SOCKET, NET_UDP, NULL, NULL, "1"}

static const struct derived_hook hooks[] = {
	{"send", NET_LOCAL_OUT_RETURN, .when = "ret == 1 && " NET_V4_IS(K_IPPROTO_UDP), OUT},
	{"send", NET_FUNCTION("ip6_output", "net sk skb"),
		.when = NET_V6_IS(K_IPPROTO_UDP) " && " NET_NOT_FORWARDED, OUT},
	{"send", NET_NETFILTER(NFPROTO_IPV4, LOCAL_OUT), .when = NET_V4_IS(K_IPPROTO_UDP), OUT},
	{"send", NET_NETFILTER(NFPROTO_IPV6, LOCAL_OUT), .when = NET_V6_IS(K_IPPROTO_UDP), OUT},
	{"receive", NET_FUNCTION("udp_rcv", "skb"), IN},
	{"receive", NET_FUNCTION("udpv6_rcv", "skb"), IN},
	{"receive", NET_NETFILTER(NFPROTO_IPV4, LOCAL_IN), .when = NET_V4_IS(K_IPPROTO_UDP), IN},
	{"receive", NET_NETFILTER(NFPROTO_IPV6, LOCAL_IN), .when = NET_V6_IS(K_IPPROTO_UDP), IN},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "udp_rcv"};

DERIVED_PROVIDER(udp, 3500, 64, CLASS_ISA, &table);
