/* SPDX-License-Identifier: Apache-2.0 */
/* The Transmission Control Protocol: segments, and sockets with what they have come to. */

#pragma D depends_on library net.d
#pragma D depends_on library ip.d

inline int TCP_MIN_HEADER_LENGTH = 20;

/* tcp_flags */
inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

/* tcps_state: Linux's numbers */
inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline int TCP_STATE_BOUND = 13;

inline string tcp_state_string[int state] =
	state == TCP_STATE_CLOSED ? "state-closed" :
	state == TCP_STATE_IDLE ? "state-idle" :
	state == TCP_STATE_LISTEN ? "state-listen" :
	state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	state == TCP_STATE_ESTABLISHED ? "state-established" :
	state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	state == TCP_STATE_CLOSING ? "state-closing" :
	state == TCP_STATE_LAST_ACK ? "state-last-ack" :
	state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	state == TCP_STATE_BOUND ? "state-bound" : "<unknown>";

/* ---- of a segment, all in the machine's byte order ---- */

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset; /* bytes of header */
	uint8_t tcp_flags; /* TH_SYN and the like */
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

/* Bytes 12 and 13 of a header. */
inline int _tcp_offset[struct tcphdr *h] = (((uint8_t *)h)[12] & 0xf0) >> 2;
inline int _tcp_flags[struct tcphdr *h] = ((uint8_t *)h)[13];

/* Of no segment, what happened to a socket: the ports are the socket's, which is a firing's arg1. */
translator tcpinfo_t < struct tcphdr *h > {
	tcp_sport = h ? ntohs(h->source) : arg7 == NET_PROBE_INBOUND ?
		_sock_rport((struct sock_common *)arg1) : _sock_lport((struct sock_common *)arg1);
	tcp_dport = h ? ntohs(h->dest) : arg7 == NET_PROBE_INBOUND ?
		_sock_lport((struct sock_common *)arg1) : _sock_rport((struct sock_common *)arg1);
	tcp_seq = h ? ntohl(h->seq) : 0;
	tcp_ack = h ? ntohl(h->ack_seq) : 0;
	tcp_offset = h ? _tcp_offset[h] : 0;
	tcp_flags = h ? _tcp_flags[h] : 0;
	tcp_window = h ? ntohs(h->window) : 0;
	tcp_checksum = h ? ntohs(h->check) : 0;
	tcp_urgent = h ? ntohs(h->urg_ptr) : 0;
	tcp_hdr = h;
};

/* ---- of a socket ---- */

typedef struct tcpsinfo {
	uintptr_t tcps_addr; /* the struct tcp_sock */
	int tcps_local; /* both ends have the same address */
	int tcps_active; /* it is not from a listener */
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state; /* that it is in or, of state-change, will be in */
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna; /* sent, not acknowledged */
	uint32_t tcps_snxt; /* next to be sent */
	uint32_t tcps_rack; /* received and acknowledged */
	uint32_t tcps_rnxt; /* next to be received */
	uint32_t tcps_swnd;
	uint32_t tcps_rwnd;
	int32_t tcps_snd_ws; /* shift of the window */
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd; /* in segments */
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack; /* the highest selectively acknowledged */
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto; /* ms */
	uint32_t tcps_mss;
	int tcps_retransmit; /* of send: the segment was sent before */
	uint32_t tcps_rtt; /* ms */
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int tcps_state; /* that it was in */
} tcplsinfo_t;

/* A request that waits for the last ACK is received, for all but Linux. */
inline int _tcp_state[int state] = state == 12 ? TCP_STATE_SYN_RECEIVED : state;

translator tcplsinfo_t < int state > {
	tcps_state = _tcp_state[state];
};

/*
 * Without a socket, addresses and ports are those of the packet, which is a firing's arg2 and arg4
 * and goes where arg7 says.
 */
inline struct iphdr *_arg_ip = (struct iphdr *)arg2;
inline struct tcphdr *_arg_tcp = (struct tcphdr *)arg4;
inline int _arg_inbound = arg7 == NET_PROBE_INBOUND;

string _net_local(struct sock_common *c, struct iphdr *h, int inbound)
{
	return c || !h ? _sock_local(c) :
		inbound ? _ip_destination(h, NULL, 0) : _ip_source(h, NULL, 0);
}

string _net_remote(struct sock_common *c, struct iphdr *h, int inbound)
{
	return c || !h ? _sock_remote(c) :
		inbound ? _ip_source(h, NULL, 0) : _ip_destination(h, NULL, 0);
}

uint16_t _tcp_lport(struct sock_common *c, struct tcphdr *h, int inbound)
{
	return c || !h ? _sock_lport(c) : ntohs(inbound ? h->dest : h->source);
}

uint16_t _tcp_rport(struct sock_common *c, struct tcphdr *h, int inbound)
{
	return c || !h ? _sock_rport(c) : ntohs(inbound ? h->source : h->dest);
}

/*
 * Sequence numbers of the lost and the new: what is sent again comes before what is next, and is
 * not just an acknowledgement or a probe.
 */
int _tcp_is_again(struct tcp_sock *t, struct iphdr *ip, struct tcphdr *h)
{
	return t && ip && h && (int)(ntohl(h->seq) - t->snd_nxt) < 0 &&
		(_tcp_flags[h] & (TH_SYN | TH_FIN) ||
		(int)(_ip_payload(ip, (struct sk_buff *)arg0) - _tcp_offset[h]) > 0);
}

uint32_t _tcp_fack(struct tcp_sock *t)
{
	return t->sacked_out == 0 ? t->snd_una : !t->highest_sack ? t->snd_nxt :
		((struct tcp_skb_cb *)t->highest_sack->cb)->seq;
}

translator tcpsinfo_t < struct tcp_sock *t > {
	tcps_addr = (uintptr_t)t;
	tcps_local = _sock_is_local((struct sock_common *)t);
	/* those that a listener makes have its backlog */
	tcps_active = t ? t->inet_conn.icsk_inet.sk.sk_max_ack_backlog == 0 : 0;
	tcps_lport = _tcp_lport((struct sock_common *)t, _arg_tcp, _arg_inbound);
	tcps_rport = _tcp_rport((struct sock_common *)t, _arg_tcp, _arg_inbound);
	tcps_laddr = _net_local((struct sock_common *)t, _arg_ip, _arg_inbound);
	tcps_raddr = _net_remote((struct sock_common *)t, _arg_ip, _arg_inbound);
	tcps_state = _tcp_state[arg6];
	tcps_iss = t ? t->snd_una - (uint32_t)t->bytes_acked : 0;
	tcps_irs = t ? t->rcv_nxt - (uint32_t)t->bytes_received : 0;
	tcps_suna = t ? t->snd_una : 0;
	tcps_snxt = t ? t->snd_nxt : 0;
	tcps_rack = t ? t->rcv_wup : 0;
	tcps_rnxt = t ? t->rcv_nxt : 0;
	tcps_swnd = t ? t->snd_wnd : 0;
	tcps_rwnd = t ? t->rcv_wnd : 0;
	tcps_snd_ws = t ? t->rx_opt.snd_wscale : 0;
	tcps_rcv_ws = t ? t->rx_opt.rcv_wscale : 0;
	tcps_cwnd = t ? t->snd_cwnd : 0;
	tcps_cwnd_ssthresh = t ? t->snd_ssthresh : 0;
	tcps_sack_fack = t ? _tcp_fack(t) : 0;
	tcps_sack_snxt = t ? _tcp_fack(t) : 0;
	tcps_rto = t ? (uint64_t)t->inet_conn.icsk_rto * _tick_ns / 1000000 : 0;
	tcps_mss = t ? t->mss_cache : 0;
	tcps_retransmit = arg7 == NET_PROBE_OUTBOUND ? _tcp_is_again(t, _arg_ip, _arg_tcp) : 0;
	tcps_rtt = t ? (t->srtt_us >> 3) / 1000 : 0;
	tcps_rtt_sd = t ? (t->mdev_us >> 2) / 1000 : 0;
};
