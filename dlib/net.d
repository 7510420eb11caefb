/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and protocols of the network. */

typedef uint32_t ipaddr_t; /* in network byte order */
typedef struct in6_addr in6_addr_t;

/* address families, of inet_ntop() */
inline int AF_UNSPEC = 0;
inline int AF_UNIX = 1;
inline int AF_LOCAL = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int AF_NETLINK = 16;
inline int AF_PACKET = 17;

/* hardware types, of link_ntop() */
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;

inline int IPPROTO_IP = 0;
inline int IPPROTO_HOPOPTS = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_ENCAP = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_DCCP = 33;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_RAW = 255;

/* what is captured, of pcap() */
inline int PCAP_NULL = 0;
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105;
inline int PCAP_IPOIB = 242;
/* ---- what all network providers tell of ---- */

/* arg7 of the tcp and udp providers */
inline int NET_PROBE_OUTBOUND = 0;
inline int NET_PROBE_INBOUND = 1;

typedef uint64_t netstackid_t;

typedef struct pktinfo {
	uintptr_t pkt_addr; /* the struct sk_buff */
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr; /* the struct sock */
	uint64_t cs_cid; /* the same */
	pid_t cs_pid; /* -1: the kernel does not keep it */
	int cs_zoneid; /* 0 */
} csinfo_t;

typedef struct conninfo {
	string ci_local; /* addresses */
	string ci_remote;
	string ci_protocol; /* ipv4 or ipv6 */
} conninfo_t;

translator pktinfo_t < struct sk_buff *s > {
	pkt_addr = (uintptr_t)s;
};

translator csinfo_t < struct sock *s > {
	cs_addr = (uintptr_t)s;
	cs_cid = (uint64_t)s;
	cs_pid = -1;
	cs_zoneid = 0;
};

/* All kinds of struct sock begin with a struct sock_common. */
inline int _sock_is_6[struct sock_common *c] = c->skc_family == AF_INET6;

string _sock_local(struct sock_common *c)
{
	return !c ? "<unknown>" :
		_sock_is_6[c] ? inet_ntoa6(&c->skc_v6_rcv_saddr) : inet_ntoa(&c->skc_rcv_saddr);
}

string _sock_remote(struct sock_common *c)
{
	return !c ? "<unknown>" :
		_sock_is_6[c] ? inet_ntoa6(&c->skc_v6_daddr) : inet_ntoa(&c->skc_daddr);
}

/* One that closes has given up skc_num already. */
uint16_t _sock_lport(struct sock_common *c)
{
	return !c ? 0 : c->skc_num ? c->skc_num : ntohs(((struct inet_sock *)c)->inet_sport);
}

uint16_t _sock_rport(struct sock_common *c)
{
	return c ? ntohs(c->skc_dport) : 0;
}

int _sock_is_local(struct sock_common *c)
{
	return !c ? 0 : !_sock_is_6[c] ? c->skc_daddr == c->skc_rcv_saddr :
		c->skc_v6_daddr.in6_u.u6_addr32[0] == c->skc_v6_rcv_saddr.in6_u.u6_addr32[0] &&
		c->skc_v6_daddr.in6_u.u6_addr32[1] == c->skc_v6_rcv_saddr.in6_u.u6_addr32[1] &&
		c->skc_v6_daddr.in6_u.u6_addr32[2] == c->skc_v6_rcv_saddr.in6_u.u6_addr32[2] &&
		c->skc_v6_daddr.in6_u.u6_addr32[3] == c->skc_v6_rcv_saddr.in6_u.u6_addr32[3];
}

string _sock_protocol(struct sock_common *c)
{
	return !c ? "<unknown>" : _sock_is_6[c] ? "ipv6" :
		c->skc_family == AF_INET ? "ipv4" : "<unknown>";
}

translator conninfo_t < struct sock *s > {
	ci_local = _sock_local((struct sock_common *)s);
	ci_remote = _sock_remote((struct sock_common *)s);
	ci_protocol = _sock_protocol((struct sock_common *)s);
};
