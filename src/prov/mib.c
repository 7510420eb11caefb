// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the mib provider: the places at which the kernel counts what netstat(8) shows. arg0
 * is the increment, arg1 the address of the statistic: there is none.  Those of ip count both
 * versions, those of icmp are of version 4.
 */
#include <linux/icmp.h>

#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"
#include "prov/net.h"

static const struct derived_probe probes[] = {
	{"icmpInDestUnreachs", 0, {}},
	{"icmpInEchoReps", 0, {}},
	{"icmpInEchos", 0, {}},
	{"icmpInMsgs", 0, {}},
	{"icmpInParmProbs", 0, {}},
	{"icmpInRedirects", 0, {}},
	{"icmpInTimeExcds", 0, {}},
	{"icmpOutDestUnreachs", 0, {}},
	{"icmpOutEchoReps", 0, {}},
	{"icmpOutEchos", 0, {}},
	{"icmpOutMsgs", 0, {}},
	{"icmpOutParmProbs", 0, {}},
	{"icmpOutRedirects", 0, {}},
	{"icmpOutTimeExcds", 0, {}},
	{"ipForwDatagrams", 0, {}},
	{"ipInDelivers", 0, {}},
	{"ipInDiscards", 0, {}},
	{"ipInReceives", 0, {}},
	{"ipOutDiscards", 0, {}},
	{"ipOutRequests", 0, {}},
	{"tcpActiveOpens", 0, {}},
	{"tcpAttemptFails", 0, {}},
	{"tcpEstabResets", 0, {}},
	{"tcpInSegs", 0, {}},
	{"tcpOutRsts", 0, {}},
	{"tcpOutSegs", 0, {}},
	{"tcpPassiveOpens", 0, {}},
	{"tcpRetransSegs", 0, {}},
	{"udpInDatagrams", 0, {}},
	{"udpInErrors", 0, {}},
	{"udpNoPorts", 0, {}},
	{"udpOutDatagrams", 0, {}},
	{NULL, 0, {}},
};

#define BY(N) .args = {N}

/* ---- packets ---- */

#define ALL(PROBE, F4, F6, HOOK)                                                              \
	{PROBE, NET_FUNCTION(F4, "skb"), BY("1")}, {PROBE, NET_FUNCTION(F6, "skb"), BY("1")}, \
		{PROBE, NET_NETFILTER(NFPROTO_IPV4, HOOK), BY("1")},                          \
	{                                                                                     \
		PROBE, NET_NETFILTER(NFPROTO_IPV6, HOOK), BY("1")                             \
	}

/* Sockets with protocol number P, which the functions handle. */
#define IN(PROBE, F4, F6, P)                                                                   \
	{PROBE, NET_FUNCTION(F4, "skb"), BY("1")}, {PROBE, NET_FUNCTION(F6, "skb"), BY("1")},  \
		{PROBE, NET_NETFILTER(NFPROTO_IPV4, LOCAL_IN), .when = NET_V4_IS(P), BY("1")}, \
	{                                                                                      \
		PROBE, NET_NETFILTER(NFPROTO_IPV6, LOCAL_IN), .when = NET_V6_IS(P), BY("1")    \
	}

#define OUT(PROBE, V4, V6, N)                                                                   \
	{PROBE, NET_LOCAL_OUT_RETURN, .when = "ret == 1" V4, BY(N)},                            \
		{PROBE, NET_FUNCTION("ip6_output", "net sk skb"), .when = NET_NOT_FORWARDED V6, \
			BY(N)},                                                                 \
		{PROBE, NET_NETFILTER(NFPROTO_IPV4, LOCAL_OUT), .when = "1" V4, BY(N)},         \
	{                                                                                       \
		PROBE, NET_NETFILTER(NFPROTO_IPV6, LOCAL_OUT), .when = "1" V6, BY(N)            \
	}

/* One that is to be cut into segments by the device counts as these. */
#define GSO	 "((struct skb_shared_info *)(skb->head + skb->end))->gso_segs"
#define SEGMENTS GSO " ? " GSO " : 1"

/* Packets that are freed as dropped, of V4 or V6. */
#define DROP(PROBE, WHEN)                                                     \
	{                                                                     \
		PROBE, .kind = HOOK_TRACEPOINT, .hook = "kfree_skb",          \
		       .params = "skb location reason", .when = WHEN, BY("1") \
	}
/* Not delivered: what is above the IP layer has taken the header off. */
#define IS_OF_IP     "skb->data <= skb->head + skb->network_header"
#define REASON(NAME) "reason == SKB_DROP_REASON_" NAME

/* ---- ICMP ---- */

/* The type is its first byte. */
#define ICMP_IS(TYPE)                                             \
	NET_V4_IS(K_IPPROTO_ICMP)                                 \
	" && *((uint8_t *)(" NET_IP ") + (" NET_IP ")->ihl * 4) " \
	"== " TYPE

#define ICMP_IN_IF(PROBE, WHEN)                                                     \
	{PROBE, NET_FUNCTION("icmp_rcv", "skb"), .when = WHEN, BY("1")},            \
	{                                                                           \
		PROBE, NET_NETFILTER(NFPROTO_IPV4, LOCAL_IN), .when = WHEN, BY("1") \
	}
#define ICMP_OUT_IF(PROBE, WHEN)                                                     \
	{PROBE, NET_LOCAL_OUT_RETURN, .when = "ret == 1 && " WHEN, BY("1")},         \
	{                                                                            \
		PROBE, NET_NETFILTER(NFPROTO_IPV4, LOCAL_OUT), .when = WHEN, BY("1") \
	}
#define ICMP(NAME, TYPE) \
	ICMP_IN_IF("icmpIn" NAME, ICMP_IS(TYPE)), ICMP_OUT_IF("icmpOut" NAME, ICMP_IS(TYPE))

/* ---- connections ---- */

#define CHANGE(PROBE, WHEN)                                                                  \
	{                                                                                    \
		PROBE, .kind = HOOK_TRACEPOINT, .hook = "inet_sock_set_state",               \
		       .params = "sk before after",                                          \
		       .when = "sk->sk_protocol == " K_IPPROTO_TCP " && (" WHEN ")", BY("1") \
	}

/*
 * A retransmitted segment is before the next one to be sent, and has data or one of SYN and FIN;
 * the socket may be a raw one of the kernel's.
 */
#define LENGTH                                                                  \
	"(int)skb->len - (int)(skb->transport_header - skb->network_header) - " \
	"((((uint8_t *)(" NET_TCP "))[12] & 0xf0) >> 2)"
#define NOT_AGAIN                                                                                  \
	" && !(" NET_IS_TYPE("skb->sk", K_SOCK_STREAM) " && (int)(ntohl((" NET_TCP ")->seq) - "    \
						       "((struct tcp_sock *)skb->sk)->snd_nxt) < " \
						       "0 && (((uint8_t *)(" NET_TCP               \
						       "))[13] & (" K_TCPHDR_FIN                   \
						       " | " K_TCPHDR_SYN ") || " LENGTH " > 0))"

#define IS_RESET "(((uint8_t *)(" NET_TCP "))[13] & " K_TCPHDR_RST ") != 0"

static const struct derived_hook hooks[] = {
	ICMP("EchoReps", STRING(ICMP_ECHOREPLY)),
	ICMP("DestUnreachs", STRING(ICMP_DEST_UNREACH)),
	ICMP("Redirects", STRING(ICMP_REDIRECT)),
	ICMP("Echos", STRING(ICMP_ECHO)),
	ICMP("TimeExcds", STRING(ICMP_TIME_EXCEEDED)),
	ICMP("ParmProbs", STRING(ICMP_PARAMETERPROB)),
	ICMP_IN_IF("icmpInMsgs", NET_V4_IS(K_IPPROTO_ICMP)),
	ICMP_OUT_IF("icmpOutMsgs", NET_V4_IS(K_IPPROTO_ICMP)),
	ALL("ipInReceives", "ip_rcv", "ipv6_rcv", PRE_ROUTING),
	ALL("ipInDelivers", "ip_local_deliver", "ip6_input", LOCAL_IN),
	ALL("ipForwDatagrams", "ip_forward", "ip6_forward", FORWARD),
	OUT("ipOutRequests", "", "", "1"),
	DROP("ipInDiscards", NET_IS_IP " && skb->skb_iif && " IS_OF_IP),
	DROP("ipOutDiscards", NET_IS_IP " && !skb->skb_iif && " IS_OF_IP),
	CHANGE("tcpActiveOpens", "before == " K_TCP_CLOSE " && after == " K_TCP_SYN_SENT),
	CHANGE("tcpPassiveOpens", "before == " K_TCP_SYN_RECV " && after == " K_TCP_ESTABLISHED),
	CHANGE("tcpAttemptFails",
		"(before == " K_TCP_SYN_SENT " || before == " K_TCP_SYN_RECV
		") && after == " K_TCP_CLOSE),
	CHANGE("tcpEstabResets",
		"(before == " K_TCP_ESTABLISHED " || before == " K_TCP_CLOSE_WAIT
		") && after == " K_TCP_CLOSE),
	{"tcpRetransSegs", .kind = HOOK_TRACEPOINT, .hook = "tcp_retransmit_skb",
		.params = "sk skb", BY(SEGMENTS)},
	OUT("tcpOutRsts", " && " NET_V4_IS(K_IPPROTO_TCP) " && " IS_RESET,
		" && " NET_V6_IS(K_IPPROTO_TCP) " && " IS_RESET, "1"),
	IN("tcpInSegs", "tcp_v4_rcv", "tcp_v6_rcv", K_IPPROTO_TCP),
	OUT("tcpOutSegs", " && " NET_V4_IS(K_IPPROTO_TCP) NOT_AGAIN,
		" && " NET_V6_IS(K_IPPROTO_TCP) NOT_AGAIN, SEGMENTS),
	IN("udpInDatagrams", "udp_rcv", "udpv6_rcv", K_IPPROTO_UDP),
	OUT("udpOutDatagrams", " && " NET_V4_IS(K_IPPROTO_UDP), " && " NET_V6_IS(K_IPPROTO_UDP),
		"1"),
	DROP("udpNoPorts", NET_IS_PROTOCOL(K_IPPROTO_UDP) " && " REASON("NO_SOCKET")),
	DROP("udpInErrors", NET_IS_PROTOCOL(K_IPPROTO_UDP) " && " REASON("UDP_CSUM")),
	{"udpInErrors", .kind = HOOK_TRACEPOINT, .hook = "udp_fail_queue_rcv_skb",
		.params = "rc sk", BY("1")},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "inet_sock_set_state"};

DERIVED_PROVIDER(mib, 3600, 64, CLASS_ISA, &table);
