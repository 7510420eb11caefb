// SPDX-License-Identifier: Apache-2.0
/* Implements the ip provider: packets that the IP layer sends, delivers and drops. */
#include "probe/stability.h"
#include "prov/derived.h"
#include "prov/net.h"

/* sk_buff, sock, IP header, net_device, iphdr or 0, ipv6hdr or 0 */
#define ARGS                                                                                \
	6,                                                                                  \
	{                                                                                   \
		{0, "struct sk_buff *", "pktinfo_t *"}, {1, "struct sock *", "csinfo_t *"}, \
			{2, "struct iphdr *", "ipinfo_t *"},                                \
			{3, "struct net_device *", "ifinfo_t *"},                           \
			{4, "struct iphdr *", "ipv4info_t *"},                              \
			{5, "struct ipv6hdr *", "ipv6info_t *"},                            \
	}

static const struct derived_probe probes[] = {
	{"send", ARGS},
	{"receive", ARGS},
	{"drop-in", ARGS},
	{"drop-out", ARGS},
	{NULL, 0, {}},
};

#define V4(DEVICE) .args = {"skb", "skb->sk", NET_IP, DEVICE, NET_IP, NULL}
#define V6(DEVICE) .args = {"skb", "skb->sk", NET_IP, DEVICE, NULL, NET_IP6}

/*
 * Whatever is freed as dropped and was an IP packet: ETH_P_IP, ETH_P_IPV6.  What has come from a
 * device has its number.
 */
#define DROP(WHEN)                                                                    \
	.kind = HOOK_TRACEPOINT, .hook = "kfree_skb", .params = "skb",                \
	.when = NET_IS_IP " && " WHEN,                                                \
	.args = {"skb", "skb->sk", NET_IP, "skb->dev", NET_IS_V4 " ? " NET_IP " : 0", \
		NET_IS_V6 " ? " NET_IP6 " : 0"}

static const struct derived_hook hooks[] = {
	{"send", NET_FUNCTION("ip_finish_output", "net sk skb"), V4("skb->dev")},
	{"send", NET_FUNCTION("ip6_finish_output", "net sk skb"), V6("skb->dev")},
	{"send", NET_NETFILTER(NFPROTO_IPV4, POST_ROUTING), V4("state->out")},
	{"send", NET_NETFILTER(NFPROTO_IPV6, POST_ROUTING), V6("state->out")},
	{"receive", NET_FUNCTION("ip_local_deliver", "skb"), V4("skb->dev")},
	{"receive", NET_FUNCTION("ip6_input", "skb"), V6("skb->dev")},
	{"receive", NET_NETFILTER(NFPROTO_IPV4, LOCAL_IN), V4("state->in")},
	{"receive", NET_NETFILTER(NFPROTO_IPV6, LOCAL_IN), V6("state->in")},
	{"drop-in", DROP("skb->skb_iif")},
	{"drop-out", DROP("!skb->skb_iif")},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "ip_local_deliver"};

DERIVED_PROVIDER(ip, 3300, 64, CLASS_ISA, &table);
