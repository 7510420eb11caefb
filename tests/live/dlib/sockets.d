/*
 * Sockets: all members of csinfo_t, conninfo_t, tcpsinfo_t and udpsinfo_t against what
 * their owner knows.
 * @trigger sockets
 * @stderr
 * @ref providers 18.7; providers 19
 * @ref providers 18.7 cs_addr cs_cid cs_pid tcps_local tcps_active tcps_lport tcps_rport tcps_laddr tcps_raddr tcps_state tcps_iss tcps_suna tcps_snxt tcps_rnxt tcps_swnd tcps_rwnd tcps_snd_ws tcps_rcv_ws tcps_cwnd tcps_rto tcps_mss tcps_retransmit tcps_rtt tcps_irs udps_lport udps_rport udps_laddr udps_raddr conninfo_t
 */
#pragma D option quiet

struct expect {
	int lport, rport, is_local, is_active, is_tcp;
	unsigned int snxt, rnxt, swnd, rwnd, rack, mss, rto, rtt, rtt_sd, cwnd, ssthresh, sent,
		received, snd_ws, rcv_ws;
};

syscall::getppid:entry
/pid == $target/
{
	this->sk = ((struct socket *)curthread->files->fdt->fd[arg0]->private_data)->sk;
	this->tcp = (struct tcp_sock *)this->sk;
	this->udp = (struct udp_sock *)this->sk;
	this->e = (struct expect *)copyin(arg1 + 160, sizeof (struct expect));
	this->is_tcp = this->e->is_tcp;
	this->is_active = this->e->is_active;
	this->moved = this->e->snxt;
	printf("%s:", copyinstr(arg1));
	printf(" cs %d %d %d %d\n", xlate <csinfo_t *>(this->sk)->cs_addr == (uintptr_t)this->sk,
		xlate <csinfo_t *>(this->sk)->cs_cid == xlate <csinfo_t *>(this->sk)->cs_addr,
		xlate <csinfo_t *>(this->sk)->cs_pid, xlate <csinfo_t *>(this->sk)->cs_zoneid);
	printf("conn %d %d %s\n",
		xlate <conninfo_t *>(this->sk)->ci_local == copyinstr(arg1 + 32),
		xlate <conninfo_t *>(this->sk)->ci_remote == copyinstr(arg1 + 96),
		xlate <conninfo_t *>(this->sk)->ci_protocol);
}

syscall::getppid:entry
/pid == $target && this->is_tcp/
{
	this->e = (struct expect *)copyin(arg1 + 160, sizeof (struct expect));
	this->sock = this->tcp;
	printf("ends %d %d %d %d %d %d active %d state %d\n",
		xlate <tcpsinfo_t *>(this->sock)->tcps_addr == (uintptr_t)this->sk,
		xlate <tcpsinfo_t *>(this->sock)->tcps_laddr == copyinstr(arg1 + 32),
		xlate <tcpsinfo_t *>(this->sock)->tcps_raddr == copyinstr(arg1 + 96),
		xlate <tcpsinfo_t *>(this->sock)->tcps_lport == this->e->lport,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rport == this->e->rport,
		xlate <tcpsinfo_t *>(this->sock)->tcps_local == this->e->is_local,
		xlate <tcpsinfo_t *>(this->sock)->tcps_active == this->e->is_active,
		xlate <tcpsinfo_t *>(this->sock)->tcps_state);
}

syscall::getppid:entry
/pid == $target && this->moved/
{
	this->e = (struct expect *)copyin(arg1 + 160, sizeof (struct expect));
	printf("sequence %d %d %d %d\n",
		xlate <tcpsinfo_t *>(this->sock)->tcps_snxt == this->e->snxt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_suna == this->e->snxt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rnxt == this->e->rnxt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rack == this->e->rack);
	printf("sent %d received %d\n",
		xlate <tcpsinfo_t *>(this->sock)->tcps_iss + this->e->sent == this->e->snxt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_irs + this->e->received == this->e->rnxt);
	printf("window %d %d %d %d %d %d\n",
		xlate <tcpsinfo_t *>(this->sock)->tcps_swnd == this->e->swnd && this->e->swnd,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rwnd == this->e->rwnd && this->e->rwnd,
		xlate <tcpsinfo_t *>(this->sock)->tcps_snd_ws == this->e->snd_ws,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rcv_ws == this->e->rcv_ws,
		xlate <tcpsinfo_t *>(this->sock)->tcps_cwnd == this->e->cwnd && this->e->cwnd,
		xlate <tcpsinfo_t *>(this->sock)->tcps_cwnd_ssthresh == this->e->ssthresh);
	printf("sack %d %d\n", xlate <tcpsinfo_t *>(this->sock)->tcps_sack_fack == this->e->snxt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_sack_snxt == this->e->snxt);
	printf("times %d %d %d mss %d again %d\n",
		xlate <tcpsinfo_t *>(this->sock)->tcps_rto == this->e->rto && this->e->rto,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rtt == this->e->rtt,
		xlate <tcpsinfo_t *>(this->sock)->tcps_rtt_sd == this->e->rtt_sd,
		xlate <tcpsinfo_t *>(this->sock)->tcps_mss == this->e->mss && this->e->mss,
		xlate <tcpsinfo_t *>(this->sock)->tcps_retransmit);
}

/* A client's first number is its server's first to be received, less the SYN. */
syscall::getppid:entry
/pid == $target && this->moved && this->is_active/
{
	client = xlate <tcpsinfo_t *>(this->tcp)->tcps_iss;
}

syscall::getppid:entry
/pid == $target && this->moved && !this->is_active/
{
	printf("other end %d\n", xlate <tcpsinfo_t *>(this->tcp)->tcps_irs == client + 1);
}

syscall::getppid:entry
/pid == $target && !this->is_tcp/
{
	this->e = (struct expect *)copyin(arg1 + 160, sizeof (struct expect));
	this->socket = this->udp;
	printf("ends %d %d %d %d %d\n",
		xlate <udpsinfo_t *>(this->socket)->udps_addr == (uintptr_t)this->sk,
		xlate <udpsinfo_t *>(this->socket)->udps_laddr == copyinstr(arg1 + 32),
		xlate <udpsinfo_t *>(this->socket)->udps_raddr == copyinstr(arg1 + 96),
		xlate <udpsinfo_t *>(this->socket)->udps_lport == this->e->lport,
		xlate <udpsinfo_t *>(this->socket)->udps_rport == this->e->rport);
}
