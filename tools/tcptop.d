#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "tcptop: TCP connections by the bytes that processes send and receive"
#pragma tool param p pid "only those of this process"
inline pid_t p = 0;
#pragma tool param i int "print every so many seconds"
inline int i = 5;
#pragma tool param n int "so many rows"
inline int n = 20;
#pragma tool param d int "end after so many prints; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option aggsortrev

BEGIN
{
	printf("TCP connections by bytes, every %d seconds. Ends with ^C.\n\n", i);
	setopt("aggrows", lltostr(n));
}

/* in the process that sends or receives: the socket, its protocol, and the bytes or an error */
sdt:sock::sock_send_length, sdt:sock::sock_recv_length
/args[2] == IPPROTO_TCP && args[3] > 0 && (!p || pid == p)/
{
	this->c = xlate <conninfo_t *>((struct sock *)args[0]);
	this->lport = ((struct sock *)args[0])->__sk_common.skc_num;
	this->rport = ntohs(((struct sock *)args[0])->__sk_common.skc_dport);
	this->local = strjoin(this->c->ci_local, strjoin(":", lltostr(this->lport)));
	this->remote = strjoin(this->c->ci_remote, strjoin(":", lltostr(this->rport)));
	this->sent = probename == "sock_send_length";
	@all[pid, execname, this->local, this->remote] = sum(args[3]);
	@sent[pid, execname, this->local, this->remote] = sum(this->sent ? args[3] : 0);
	@received[pid, execname, this->local, this->remote] = sum(this->sent ? 0 : args[3]);
	some = 1;
}

/* at the end: what came after the last table, if anything did */
tick-1s, END
/probename == "END" ? some : ++seconds % (i ? i : 1) == 0/
{
	normalize(@sent, 1024);
	normalize(@received, 1024);
	printf("%Y\n%7s %-12s %-21s %-21s %7s %7s\n", walltimestamp, "PID", "COMM", "LOCAL", "REMOTE", "TX KB", "RX KB");
	/* the sum says the order; it is not printed */
	setopt("aggsortpos", "2");
	printa("%7d %-12s %-21s %-21s %@7d %@7d\n", @sent, @received, @all);
	printf("\n");
	trunc(@all);
	trunc(@sent);
	trunc(@received);
	some = 0;
	prints++;
}

tick-1s /d && prints >= d/ { exit(0); }
