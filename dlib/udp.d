/* SPDX-License-Identifier: Apache-2.0 */
/* The User Datagram Protocol. */

#pragma D depends_on library net.d
#pragma D depends_on library ip.d
#pragma D depends_on library tcp.d

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length; /* with header */
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

/* In the machine's byte order. */
translator udpinfo_t < struct udphdr *h > {
	udp_sport = h ? ntohs(h->source) : 0;
	udp_dport = h ? ntohs(h->dest) : 0;
	udp_length = h ? ntohs(h->len) : 0;
	udp_checksum = h ? ntohs(h->check) : 0;
	udp_hdr = h;
};

typedef struct udpsinfo {
	uintptr_t udps_addr; /* the struct udp_sock */
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

/*
 * A socket need not have a peer, nor an address: they are those of the packet, arg2 and arg4, and
 * the socket's own where there is none.
 */
inline struct udphdr *_arg_udp = (struct udphdr *)arg4;

string _udp_local(struct sock_common *c, struct iphdr *h, int inbound)
{
	return h ? _net_local(NULL, h, inbound) : _sock_local(c);
}

string _udp_remote(struct sock_common *c, struct iphdr *h, int inbound)
{
	return h ? _net_remote(NULL, h, inbound) : _sock_remote(c);
}

uint16_t _udp_lport(struct sock_common *c, struct udphdr *h, int inbound)
{
	return h ? ntohs(inbound ? h->dest : h->source) : _sock_lport(c);
}

uint16_t _udp_rport(struct sock_common *c, struct udphdr *h, int inbound)
{
	return h ? ntohs(inbound ? h->source : h->dest) : _sock_rport(c);
}

translator udpsinfo_t < struct udp_sock *u > {
	udps_addr = (uintptr_t)u;
	udps_lport = _udp_lport((struct sock_common *)u, _arg_udp, _arg_inbound);
	udps_rport = _udp_rport((struct sock_common *)u, _arg_udp, _arg_inbound);
	udps_laddr = _udp_local((struct sock_common *)u, _arg_ip, _arg_inbound);
	udps_raddr = _udp_remote((struct sock_common *)u, _arg_ip, _arg_inbound);
};
