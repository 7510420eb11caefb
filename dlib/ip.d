/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of the Internet Protocol, of both versions.  Where there is none to look at, addresses
 * are those of the socket that the probe has in arg1, the packet going where arg7 says.
 */

#pragma D depends_on library net.d

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength; /* of what is behind the header */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local; /* 1: the packet does not leave the machine */
	netstackid_t if_ipstack; /* network namespace */
	uintptr_t if_addr; /* the struct net_device */
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl; /* bytes of header */
	uint8_t ipv4_tos;
	uint16_t ipv4_length; /* with header */
	uint16_t ipv4_ident;
	uint8_t ipv4_flags; /* IPH_DF, IPH_MF */
	uint16_t ipv4_offset; /* of a fragment, in 8 bytes */
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	struct in6_addr *ipv6_src;
	struct in6_addr *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

/* ipv4_flags: the high four bits of the word that they share with the offset (RFC 791, 3.1) */
inline int IPH_MF = 2;
inline int IPH_DF = 4;

string _ip_protocol(int p)
{
	return p == IPPROTO_TCP ? "TCP" :
		p == IPPROTO_UDP ? "UDP" :
		p == IPPROTO_IP ? "IP" :
		p == IPPROTO_ICMP ? "ICMP" :
		p == IPPROTO_IGMP ? "IGMP" :
		p == IPPROTO_EGP ? "EGP" :
		p == IPPROTO_IPV6 ? "IPv6" :
		p == IPPROTO_ROUTING ? "ROUTE" :
		p == IPPROTO_ESP ? "ESP" :
		p == IPPROTO_AH ? "AH" :
		p == IPPROTO_ICMPV6 ? "ICMPv6" :
		p == IPPROTO_OSPF ? "OSPF" :
		p == IPPROTO_SCTP ? "SCTP" :
		p == IPPROTO_RAW ? "RAW" : lltostr(p);
}

/* ---- of a packet of either version, or of the socket ---- */

string _ip_source(struct iphdr *h, struct sock_common *c, int inbound)
{
	return h ? (h->version == 6 ? inet_ntoa6(&((struct ipv6hdr *)h)->saddr) :
			inet_ntoa(&h->saddr)) :
		inbound ? _sock_remote(c) : _sock_local(c);
}

string _ip_destination(struct iphdr *h, struct sock_common *c, int inbound)
{
	return h ? (h->version == 6 ? inet_ntoa6(&((struct ipv6hdr *)h)->daddr) :
			inet_ntoa(&h->daddr)) :
		inbound ? _sock_local(c) : _sock_remote(c);
}

uint8_t _ip_version(struct iphdr *h, struct sock_common *c)
{
	return h ? h->version : !c ? 0 :
		_sock_is_6[c] ? 6 : c->skc_family == AF_INET ? 4 : 0;
}

/* TCP keeps a segment's sequence numbers where each layer has its notes. */
uint32_t _skb_length(struct sk_buff *s)
{
	return s ? ((struct tcp_skb_cb *)s->cb)->end_seq - ((struct tcp_skb_cb *)s->cb)->seq : 0;
}

/*
 * What is to be cut into segments by the device, or never is, can be longer than a header can say:
 * it says 0, version 6 with a hop-by-hop header of 8 bytes that is taken off then.
 */
uint32_t _ip_long(struct sk_buff *s, int header)
{
	return s ? s->len + (s->data - (s->head + s->network_header)) - header : 0;
}

uint32_t _ip_payload(struct iphdr *h, struct sk_buff *s)
{
	return !h ? _skb_length(s) :
		h->version != 6 ? (h->tot_len ? ntohs(h->tot_len) - h->ihl * 4 :
			_ip_long(s, h->ihl * 4)) :
		((struct ipv6hdr *)h)->payload_len ? ntohs(((struct ipv6hdr *)h)->payload_len) :
		_ip_long(s, ((struct ipv6hdr *)h)->nexthdr ? 40 : 48);
}

translator ipinfo_t < struct iphdr *h > {
	ip_ver = _ip_version(h, (struct sock_common *)arg1);
	ip_plength = _ip_payload(h, (struct sk_buff *)arg0);
	ip_saddr = _ip_source(h, (struct sock_common *)arg1, arg7 == NET_PROBE_INBOUND);
	ip_daddr = _ip_destination(h, (struct sock_common *)arg1, arg7 == NET_PROBE_INBOUND);
};

/* ---- of an interface ---- */

inline int _IFF_LOOPBACK = 0x8;

translator ifinfo_t < struct net_device *d > {
	if_name = d ? stringof(d->name) : "<unknown>";
	if_local = d ? (d->flags & _IFF_LOOPBACK) != 0 : 1;
	if_ipstack = d ? (netstackid_t)d->nd_net.net : 0;
	if_addr = (uintptr_t)d;
};

/* ---- of a packet of version 4; integers in the machine's byte order, addresses in the network's ---- */

translator ipv4info_t < struct iphdr *h > {
	ipv4_ver = h ? h->version : 0;
	ipv4_ihl = h ? h->ihl * 4 : 0;
	ipv4_tos = h ? h->tos : 0;
	ipv4_length = h ? ntohs(h->tot_len) : 0;
	ipv4_ident = h ? ntohs(h->id) : 0;
	ipv4_flags = h ? ntohs(h->frag_off) >> 12 & 0xe : 0;
	ipv4_offset = h ? ntohs(h->frag_off) & 0x1fff : 0;
	ipv4_ttl = h ? h->ttl : 0;
	ipv4_protocol = h ? h->protocol : 0;
	ipv4_protostr = h ? _ip_protocol(h->protocol) : "<null>";
	ipv4_checksum = h ? ntohs(h->check) : 0;
	ipv4_src = h ? h->saddr : 0;
	ipv4_dst = h ? h->daddr : 0;
	ipv4_saddr = h ? inet_ntoa(&h->saddr) : "<null>";
	ipv4_daddr = h ? inet_ntoa(&h->daddr) : "<null>";
	ipv4_hdr = h;
};

/* ---- of version 6 ---- */

translator ipv6info_t < struct ipv6hdr *h > {
	ipv6_ver = h ? h->version : 0;
	ipv6_tclass = h ? h->priority << 4 | h->flow_lbl[0] >> 4 : 0;
	ipv6_flow = h ? (h->flow_lbl[0] & 0xf) << 16 | h->flow_lbl[1] << 8 | h->flow_lbl[2] : 0;
	ipv6_plen = h ? ntohs(h->payload_len) : 0;
	ipv6_nexthdr = h ? h->nexthdr : 0;
	ipv6_nextstr = h ? _ip_protocol(h->nexthdr) : "<null>";
	ipv6_hlim = h ? h->hop_limit : 0;
	ipv6_src = h ? &h->saddr : NULL;
	ipv6_dst = h ? &h->daddr : NULL;
	ipv6_saddr = h ? inet_ntoa6(&h->saddr) : "<null>";
	ipv6_daddr = h ? inet_ntoa6(&h->daddr) : "<null>";
	ipv6_hdr = h;
};
