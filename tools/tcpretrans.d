#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "tcpretrans: TCP segments that are sent again"
#pragma tool param P int "only those to this port"
inline int port = 0;
#pragma tool param s flag "count them by address and port instead"
inline int s = 0;
#pragma tool param k flag "with the kernel's stack"
inline int k = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN
/!s/
{
	printf("%-20s %-22s %5s %2s %-22s %5s %s\n", "TIME", "LADDR", "LPORT", "T>", "RADDR", "RPORT", "STATE");
}

BEGIN /s/ { printf("Segments sent again, by connection. Ends with ^C.\n"); }

inline int ICSK_TIME_LOSS_PROBE = 5; /* include/net/inet_connection_sock.h */
inline int TCP_CA_Recovery = 3;      /* linux/tcp.h */

/* fields of the tracepoint: the state, the ports, the family and the addresses of both */
sdt:tcp::tcp_retransmit_skb
/!port || args[4] == port/
{
	/* a tail loss probe is sent while its timer is the pending one, and before the kernel takes the segment for lost */
	this->sock = (struct inet_connection_sock *)args[1];
	this->kind = this->sock->icsk_pending == ICSK_TIME_LOSS_PROBE && this->sock->icsk_ca_state < TCP_CA_Recovery ?
	    "L>" : "R>";
	this->local = args[5] == AF_INET6 ? inet_ntop(AF_INET6, args[8]) : inet_ntop(AF_INET, args[6]);
	this->remote = args[5] == AF_INET6 ? inet_ntop(AF_INET6, args[9]) : inet_ntop(AF_INET, args[7]);
}

sdt:tcp::tcp_retransmit_skb
/!s && (!port || args[4] == port)/
{
	printf("%-20Y %-22s %5d %2s %-22s %5d %s\n", walltimestamp, this->local, args[3], this->kind, this->remote, args[4],
	    tcp_state_string[args[2]]);
}

sdt:tcp::tcp_retransmit_skb
/!s && k && (!port || args[4] == port)/
{
	stack();
}

sdt:tcp::tcp_retransmit_skb
/s && (!port || args[4] == port)/
{
	@[this->local, args[3], this->kind, this->remote, args[4]] = count();
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
/s/
{
	printf("%-22s %5s %2s %-22s %5s %10s\n", "LADDR", "LPORT", "T>", "RADDR", "RPORT", "SEGMENTS");
	printa("%-22s %5d %2s %-22s %5d %@10d\n", @);
}
