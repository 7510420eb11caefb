// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the tcp provider: segments, and the states of connections.
 *
 * States have Linux's numbers: 1 established, 2 SYN sent, 3 SYN received, 6 TIME_WAIT, 7 closed,
 * 12 a request of a listener that waits for the last ACK.
 */
#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"
#include "prov/net.h"

/* sk_buff, sock, IP header, tcp_sock, TCP header */
#define ARGS                                                                                \
	5,                                                                                  \
	{                                                                                   \
		{0, "struct sk_buff *", "pktinfo_t *"}, {1, "struct sock *", "csinfo_t *"}, \
			{2, "struct iphdr *", "ipinfo_t *"},                                \
			{3, "struct tcp_sock *", "tcpsinfo_t *"},                           \
			{4, "struct tcphdr *", "tcpinfo_t *"},                              \
	}

/* nothing, sock, nothing, tcp_sock, nothing, the state before */
#define STATE_ARGS                                                                            \
	6,                                                                                    \
	{                                                                                     \
		{0, "void *", NULL}, {1, "struct sock *", "csinfo_t *"}, {2, "void *", NULL}, \
			{3, "struct tcp_sock *", "tcpsinfo_t *"}, {4, "void *", NULL},        \
			{5, "int", "tcplsinfo_t *"},                                          \
	}

static const struct derived_probe probes[] = {
	{"state-change", STATE_ARGS},
	{"send", ARGS},
	{"receive", ARGS},
	{"connect-request", ARGS},
	{"connect-established", ARGS},
	{"connect-refused", ARGS},
	{"accept-established", ARGS},
	{"accept-refused", ARGS},
	{NULL, 0, {}},
};

/* ---- the socket of a packet that comes in ---- */

/*
 * The kernel looks for the socket before it hands a packet on, or after: a packet that was sent
 * over the loopback interface has none yet.  For these the connections that are made while we run
 * are kept, under namespace, addresses and ports, as they stand in a packet for us; our address,
 * of which there are few, is mixed with the namespace where keys would be long.  inet_sport keeps
 * the port when skc_num is 0 already.
 */
#define MADE		     "((struct sock_common *)arg1)"
#define MADE_PORTS	     "(uint32_t)(" MADE "->skc_dport | ((struct inet_sock *)arg1)->inet_sport << 16)"
#define MADE_NET	     "(uint64_t)" MADE "->skc_net.net"
#define MADE_WORD(MEMBER, I) "((uint64_t *)&" MADE "->" MEMBER ")[" I "]"
/* ::ffff:1.2.3.4 has packets of version 4 */
#define MADE_IS_V4                                                             \
	"(" MADE "->skc_family == " K_AF_INET " || " MADE_WORD("skc_v6_daddr", \
		"0") " == 0 && " MADE "->skc_v6_daddr.in6_u.u6_addr32[2] == htonl(0xffff))"
#define KEEP  " = arg6 == " K_TCP_CLOSE " ? 0 : arg1; }\n"
#define MAKES "tcp:::state-change /(arg6 == " K_TCP_ESTABLISHED " || arg6 == " K_TCP_CLOSE ") && "

static const char connections[] = MAKES MADE_IS_V4
	"/ {_tcp_v4[" MADE_NET ", (uint64_t)" MADE "->skc_addrpair, " MADE_PORTS "]" KEEP MAKES
	"!" MADE_IS_V4 "/ {_tcp_v6[" MADE_NET " ^ " MADE_WORD("skc_v6_rcv_saddr",
		"0") " ^ " MADE_WORD("skc_v6_rcv_saddr", "1") ", " MADE_WORD("skc_v6_daddr",
		"0") ", " MADE_WORD("skc_v6_daddr", "1") ", " MADE_PORTS "]" KEEP;

/* From where the addresses are in the header: 12 with version 4, 8 and 24 with version 6. */
#define IN_WORD(AT) "*(uint64_t *)(skb->head + skb->network_header + " AT ")"
#define IN_NET	    "(uint64_t)skb->dev->nd_net.net"
#define IN_PORTS    "*(uint32_t *)(" NET_TCP ")"
#define IN_V4	    "_tcp_v4[" IN_NET ", " IN_WORD("12") ", " IN_PORTS "]"
#define IN_V6                                                                                     \
	"_tcp_v6[" IN_NET " ^ " IN_WORD("24") " ^ " IN_WORD("32") ", " IN_WORD("8") ", " IN_WORD( \
		"16") ", " IN_PORTS "]"

/* ---- arguments; the last is the direction ---- */

/* Answers for no socket, or for a closed one, are sent through a raw socket of the kernel. */
#define SOCK   "((struct sock *)arg1)"
#define SOCKET NET_IS_TYPE(SOCK, K_SOCK_STREAM) " ? (struct tcp_sock *)arg1 : 0"
#define STATE  "arg1 ? " NET_STATE(SOCK) " : " K_TCP_CLOSE

#define SEGMENT(SK, DIRECTION) .args = {"skb", SK, NET_IP, SOCKET, NET_TCP, STATE, STATE, DIRECTION}
#define OUT		       SEGMENT("skb->sk", "0")
#define IN(KEPT)	       SEGMENT("skb->sk ? (uint64_t)skb->sk : " KEPT, "1"), .state = connections

/* ---- conditions ---- */

#define FLAGS	     "((uint8_t *)(" NET_TCP "))[13]"
#define IS_SYN_ALONE "(" FLAGS " & (" K_TCPHDR_SYN " | " K_TCPHDR_ACK ")) == " K_TCPHDR_SYN
#define REFUSES	     "(" K_TCPHDR_RST " | " K_TCPHDR_ACK ")"

/* Its first SYN: sent again, it is counted before. */
#define IS_SYN                           \
	IS_SYN_ALONE " && " NET_IS_TYPE( \
		"skb->sk", K_SOCK_STREAM) " && ((struct tcp_sock *)skb->sk)->total_retrans == 0"

/*
 * The kernel's answer to a SYN that nobody waits for: a reset that acknowledges, as one only does
 * that answers to what has no ACK itself, and that has no sequence number.
 */
#define IS_REFUSAL "(" FLAGS " & " REFUSES ") == " REFUSES " && (" NET_TCP ")->seq == 0"

#define AND(MORE) " && " MORE
#define NO_MORE

/* ---- hooks ---- */

#define SENT(PROBE, MORE)                                                                         \
	{PROBE, NET_LOCAL_OUT_RETURN, .when = "ret == 1 && " NET_V4_IS(K_IPPROTO_TCP) MORE, OUT}, \
		{PROBE, NET_FUNCTION("ip6_output", "net sk skb"),                                 \
			.when = NET_V6_IS(K_IPPROTO_TCP) " && " NET_NOT_FORWARDED MORE, OUT},     \
		{PROBE, NET_NETFILTER(NFPROTO_IPV4, LOCAL_OUT),                                   \
			.when = NET_V4_IS(K_IPPROTO_TCP) MORE, OUT},                              \
	{                                                                                         \
		PROBE, NET_NETFILTER(NFPROTO_IPV6, LOCAL_OUT),                                    \
			.when = NET_V6_IS(K_IPPROTO_TCP) MORE, OUT                                \
	}

/* The tracepoint comes before the state is set. */
#define CHANGE(WHEN)                                                                         \
	.kind = HOOK_TRACEPOINT, .hook = "inet_sock_set_state", .params = "sk before after", \
	.when = "sk->sk_protocol == " K_IPPROTO_TCP " && " WHEN
#define CHANGED(DIRECTION) \
	.args = {NULL, "sk", NULL, "(struct tcp_sock *)sk", NULL, "before", "after", DIRECTION}

static const struct derived_hook hooks[] = {
	{"state-change", CHANGE("before != after"), CHANGED("0")},
	SENT("send", NO_MORE),
	{"receive", NET_FUNCTION("tcp_v4_rcv", "skb"), IN(IN_V4)},
	{"receive", NET_FUNCTION("tcp_v6_rcv", "skb"), IN(IN_V6)},
	{"receive", NET_NETFILTER(NFPROTO_IPV4, LOCAL_IN), .when = NET_V4_IS(K_IPPROTO_TCP),
		IN(IN_V4)},
	{"receive", NET_NETFILTER(NFPROTO_IPV6, LOCAL_IN), .when = NET_V6_IS(K_IPPROTO_TCP),
		IN(IN_V6)},
	SENT("connect-request", AND(IS_SYN)),
	{"connect-request", .way = 2,
		CHANGE("before == " K_TCP_CLOSE " && after == " K_TCP_SYN_SENT), CHANGED("0")},
	{"connect-established",
		CHANGE("before == " K_TCP_SYN_SENT " && after == " K_TCP_ESTABLISHED),
		CHANGED("1")},
	{"connect-refused", .kind = HOOK_TRACEPOINT, .hook = "tcp_receive_reset", .params = "sk",
		.when = NET_STATE("sk") " == " K_TCP_SYN_SENT,
		.args = {NULL, "sk", NULL, "(struct tcp_sock *)sk", NULL, K_TCP_SYN_SENT,
			K_TCP_SYN_SENT, "1"}},
	{"accept-established",
		CHANGE("before == " K_TCP_SYN_RECV " && after == " K_TCP_ESTABLISHED),
		CHANGED("1")},
	SENT("accept-refused", AND(IS_REFUSAL)),
	/* This one has the SYN. */
	{"accept-refused", .way = 2, .kind = HOOK_TRACEPOINT, .hook = "tcp_send_reset",
		.params = "sk skb", .when = "skb && " IS_SYN_ALONE,
		.args = {"skb", "sk", NET_IP, NULL, NET_TCP, K_TCP_CLOSE, K_TCP_CLOSE, "1"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "inet_sock_set_state"};

DERIVED_PROVIDER(tcp, 3400, 64, CLASS_ISA, &table);
