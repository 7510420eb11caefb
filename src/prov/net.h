/* SPDX-License-Identifier: Apache-2.0 */
/*
 * net: expressions on packets that the ip, tcp, udp and mib providers share, in D over hooks'
 * arguments.
 *
 * Packets are seen where the kernel's functions can be traced, as that sees those of all network
 * namespaces, and otherwise at netfilter's hooks.  Those of the IP layer that do for both:
 *
 *	into this machine	ip_local_deliver, ip6_input		LOCAL_IN
 *	out of it		__ip_local_out's return, ip6_output	LOCAL_OUT
 *	to a device		ip_finish_output, ip6_finish_output	POST_ROUTING
 *
 * An IPv4 packet's length is not set before __ip_local_out, which returns 1 for one that goes on;
 * an IPv6 packet of TCP does not come through there.
 */
#ifndef PROV_NET_H
#define PROV_NET_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>

#include "prov/constants.h"
#include "prov/derived.h"
#include "sema/names.h"

/* ---- headers of the struct sk_buff `skb` ---- */

#define NET_IP	"(struct iphdr *)(skb->head + skb->network_header)"
#define NET_IP6 "(struct ipv6hdr *)(skb->head + skb->network_header)"
#define NET_TCP "(struct tcphdr *)(skb->head + skb->transport_header)"
#define NET_UDP "(struct udphdr *)(skb->head + skb->transport_header)"

/* Conditions.  PROTOCOL is K_IPPROTO_... */
#define NET_V4_IS(PROTOCOL) "(" NET_IP ")->protocol == " PROTOCOL
/* One that is long has a hop-by-hop header, number 0; so have some others. */
#define NET_V6_IS(PROTOCOL)                                             \
	"((" NET_IP6 ")->nexthdr ? (" NET_IP6 ")->nexthdr == " PROTOCOL \
	" : *((uint8_t *)(" NET_IP6 ") + 40) == " PROTOCOL ")"

#define NET_IS_V4 "skb->protocol == htons(" STRING(ETH_P_IP) ")"
#define NET_IS_V6 "skb->protocol == htons(" STRING(ETH_P_IPV6) ")"
#define NET_IS_IP "(" NET_IS_V4 " || " NET_IS_V6 ")"
#define NET_IS_PROTOCOL(PROTOCOL) \
	"(" NET_IS_V4 " && " NET_V4_IS(PROTOCOL) " || " NET_IS_V6 " && " NET_V6_IS(PROTOCOL) ")"

/* A forwarded packet in ip6_output came in at an interface and has no socket. */
#define NET_NOT_FORWARDED "(skb->sk || !skb->skb_iif)"

/* ---- sockets ---- */

/* In two states a connection has no whole struct sock. */
#define NET_STATE(SK) "(" SK ")->__sk_common.skc_state"
#define NET_IS_WHOLE(SK) \
	NET_STATE(SK) " != " K_TCP_TIME_WAIT " && " NET_STATE(SK) " != " K_TCP_NEW_SYN_RECV
#define NET_IS_TYPE(SK, T) "(" SK ") && " NET_IS_WHOLE(SK) " && (" SK ")->sk_type == " T

/* ---- rows of struct derived_hook ---- */

#define NET_FUNCTION(FUNCTION, PARAMS) \
	.way = 0, .kind = HOOK_FUNCTION, .hook = FUNCTION, .params = PARAMS
#define NET_LOCAL_OUT_RETURN \
	.way = 0, .kind = HOOK_RETURN, .hook = "__ip_local_out", .params = "net sk skb ret"
#define NET_NETFILTER(FAMILY, HOOK)                                                   \
	.way = 1, .kind = HOOK_NETFILTER, .params = "state skb", .nf_family = FAMILY, \
	.nf_hook = NF_INET_##HOOK

#endif
