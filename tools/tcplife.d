#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "tcplife: TCP connections as they end, with their duration and bytes"
#pragma tool param p pid "only connections of this process"
inline pid_t p = 0;
#pragma tool param L int "only connections with this local port"
inline int local = 0;
#pragma tool param R int "only connections with this remote port"
inline int remote = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

uint64_t began[uint64_t];
pid_t by[uint64_t];
string name[uint64_t];

BEGIN
{
	printf("%7s %-15s %-15s %5s %-15s %5s %8s %8s %9s\n", "PID", "COMM", "LADDR", "LPORT", "RADDR", "RPORT", "TX KB",
	    "RX KB", "MS");
}

/* in connect(2); a connection that was accepted begins in an interrupt */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	began[args[1]->cs_cid] = timestamp;
	by[args[1]->cs_cid] = pid;
	name[args[1]->cs_cid] = execname;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED && !began[args[1]->cs_cid]/
{
	began[args[1]->cs_cid] = timestamp;
}

/* close(2), in the process that has accepted it */
tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_FIN_WAIT_1 || args[3]->tcps_state == TCP_STATE_LAST_ACK) && !by[args[1]->cs_cid]/
{
	by[args[1]->cs_cid] = pid;
	name[args[1]->cs_cid] = execname;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && began[args[1]->cs_cid] && (!p || by[args[1]->cs_cid] == p) &&
 (!local || args[3]->tcps_lport == local) && (!remote || args[3]->tcps_rport == remote)/
{
	this->id = args[1]->cs_cid;
	this->us = (timestamp - began[this->id]) / 1000;
	this->sock = (struct tcp_sock *)args[3]->tcps_addr;
	printf("%7d %-15s %-15s %5d %-15s %5d %8d %8d %5d.%03d\n", by[this->id], name[this->id], args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, this->sock->bytes_acked / 1024,
	    this->sock->bytes_received / 1024, this->us / 1000, this->us % 1000);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	began[args[1]->cs_cid] = 0;
	by[args[1]->cs_cid] = 0;
	name[args[1]->cs_cid] = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
