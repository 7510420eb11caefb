#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "tcpconnect: TCP connections that processes open, and how they are answered"
#pragma tool param p pid "only those of this process"
inline pid_t p = 0;
#pragma tool param P int "only those to this port"
inline int port = 0;
#pragma tool param f flag "only those that were refused"
inline int f = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

uint64_t began[uint64_t];
pid_t by[uint64_t];
string name[uint64_t];

BEGIN
{
	printf("%7s %-15s %-15s %5s %-15s %5s %9s %s\n", "PID", "COMM", "LADDR", "LPORT", "RADDR", "RPORT", "MS", "ANSWER");
}

/* in connect(2) */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT && (!p || pid == p) && (!port || args[3]->tcps_rport == port)/
{
	began[args[1]->cs_cid] = timestamp;
	by[args[1]->cs_cid] = pid;
	name[args[1]->cs_cid] = execname;
}

tcp:::connect-established, tcp:::connect-refused
/began[args[1]->cs_cid] && (!f || probename == "connect-refused")/
{
	this->id = args[1]->cs_cid;
	this->us = (timestamp - began[this->id]) / 1000;
	printf("%7d %-15s %-15s %5d %-15s %5d %5d.%03d %s\n", by[this->id], name[this->id], args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, this->us / 1000, this->us % 1000,
	    probename == "connect-refused" ? "refused" : "established");
}

/* it was closed, or took too long */
tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && args[3]->tcps_state == TCP_STATE_CLOSED && began[args[1]->cs_cid]/
{
	this->id = args[1]->cs_cid;
	this->us = (timestamp - began[this->id]) / 1000;
	printf("%7d %-15s %-15s %5d %-15s %5d %5d.%03d none\n", by[this->id], name[this->id], args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, this->us / 1000, this->us % 1000);
}

tcp:::connect-established, tcp:::connect-refused, tcp:::state-change
/probename != "state-change" || args[3]->tcps_state == TCP_STATE_CLOSED/
{
	began[args[1]->cs_cid] = 0;
	by[args[1]->cs_cid] = 0;
	name[args[1]->cs_cid] = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
