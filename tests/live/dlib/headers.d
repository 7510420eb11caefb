/*
 * Headers of packets: all members of ipinfo_t, ipv4info_t, ipv6info_t, tcpinfo_t, udpinfo_t, and
 * which end is the local one.
 * @trigger headers
 * @stderr
 * @ref providers 19 ipinfo-plength tcpinfo-offset ipv4_flags; providers 18.7; providers 19
 * @ref providers 18.7 ip_ver ip_plength ip_saddr ip_daddr ipv4_ihl ipv4_tos ipv4_length ipv4_ident ipv4_flags ipv4_offset ipv4_ttl ipv4_protocol ipv4_protostr ipv4_checksum ipv4_saddr ipv4_daddr ipv6_plen ipv6_nexthdr ipv6_nextstr ipv6_hlim ipv6_saddr ipv6_daddr tcp_sport tcp_dport tcp_seq tcp_ack tcp_offset tcp_flags tcp_window tcp_checksum udp_sport udp_dport udp_length
 */
#pragma D option quiet

inline struct sk_buff *SKB[int fd] =
	((struct socket *)curthread->files->fdt->fd[fd]->private_data)->sk->sk_receive_queue.next;

syscall::getppid:entry
/pid == $target/
{
	this->skb = SKB[arg0];
	this->ip = (struct iphdr *)this->skb->data;
	this->ip6 = (struct ipv6hdr *)this->skb->data;
	this->v4 = this->ip->version == 4;
	this->tcp = (struct tcphdr *)(this->skb->data + 32);
	this->udp = (struct udphdr *)(this->skb->data + 40);
	printf("ip %d %d %s > %s\n", xlate <ipinfo_t *>(this->ip)->ip_ver,
		xlate <ipinfo_t *>(this->ip)->ip_plength, xlate <ipinfo_t *>(this->ip)->ip_saddr,
		xlate <ipinfo_t *>(this->ip)->ip_daddr);
}

syscall::getppid:entry
/pid == $target && this->v4/
{
	this->i = this->ip;
	printf("ipv4 %d %d %x %d %x flags %x offset %x ttl %d protocol %d %s checksum %x\n",
		xlate <ipv4info_t *>(this->i)->ipv4_ver, xlate <ipv4info_t *>(this->i)->ipv4_ihl,
		xlate <ipv4info_t *>(this->i)->ipv4_tos, xlate <ipv4info_t *>(this->i)->ipv4_length,
		xlate <ipv4info_t *>(this->i)->ipv4_ident,
		xlate <ipv4info_t *>(this->i)->ipv4_flags,
		xlate <ipv4info_t *>(this->i)->ipv4_offset, xlate <ipv4info_t *>(this->i)->ipv4_ttl,
		xlate <ipv4info_t *>(this->i)->ipv4_protocol,
		xlate <ipv4info_t *>(this->i)->ipv4_protostr,
		xlate <ipv4info_t *>(this->i)->ipv4_checksum);
	printf("ipv4 %x %x %s %s %d\n", ntohl(xlate <ipv4info_t *>(this->i)->ipv4_src),
		ntohl(xlate <ipv4info_t *>(this->i)->ipv4_dst),
		xlate <ipv4info_t *>(this->i)->ipv4_saddr,
		xlate <ipv4info_t *>(this->i)->ipv4_daddr,
		(char *)xlate <ipv4info_t *>(this->i)->ipv4_hdr == (char *)this->skb->data);
	printf("tcp %d %d seq %x ack %x offset %d flags %x window %x checksum %x urgent %x %d\n",
		xlate <tcpinfo_t *>(this->tcp)->tcp_sport, xlate <tcpinfo_t *>(this->tcp)->tcp_dport,
		xlate <tcpinfo_t *>(this->tcp)->tcp_seq, xlate <tcpinfo_t *>(this->tcp)->tcp_ack,
		xlate <tcpinfo_t *>(this->tcp)->tcp_offset,
		xlate <tcpinfo_t *>(this->tcp)->tcp_flags,
		xlate <tcpinfo_t *>(this->tcp)->tcp_window,
		xlate <tcpinfo_t *>(this->tcp)->tcp_checksum,
		xlate <tcpinfo_t *>(this->tcp)->tcp_urgent,
		xlate <tcpinfo_t *>(this->tcp)->tcp_hdr == this->tcp);
}

syscall::getppid:entry
/pid == $target && !this->v4/
{
	this->i6 = this->ip6;
	printf("ipv6 %d class %x flow %x length %x next %d %s hops %d\n",
		xlate <ipv6info_t *>(this->i6)->ipv6_ver,
		xlate <ipv6info_t *>(this->i6)->ipv6_tclass,
		xlate <ipv6info_t *>(this->i6)->ipv6_flow, xlate <ipv6info_t *>(this->i6)->ipv6_plen,
		xlate <ipv6info_t *>(this->i6)->ipv6_nexthdr,
		xlate <ipv6info_t *>(this->i6)->ipv6_nextstr,
		xlate <ipv6info_t *>(this->i6)->ipv6_hlim);
	printf("ipv6 %s %s %s %s %d\n", xlate <ipv6info_t *>(this->i6)->ipv6_saddr,
		xlate <ipv6info_t *>(this->i6)->ipv6_daddr,
		inet_ntoa6(xlate <ipv6info_t *>(this->i6)->ipv6_src),
		inet_ntoa6(xlate <ipv6info_t *>(this->i6)->ipv6_dst),
		xlate <ipv6info_t *>(this->i6)->ipv6_hdr == this->ip6);
	printf("udp %d %d length %x checksum %x %d\n", xlate <udpinfo_t *>(this->udp)->udp_sport,
		xlate <udpinfo_t *>(this->udp)->udp_dport, xlate <udpinfo_t *>(this->udp)->udp_length,
		xlate <udpinfo_t *>(this->udp)->udp_checksum,
		xlate <udpinfo_t *>(this->udp)->udp_hdr == this->udp);
}

/* Which end is the local one, from headers alone. */
syscall::getppid:entry
/pid == $target && this->v4 && _tcp_flags[this->tcp] == 1/
{
	this->none = (struct sock_common *)NULL;
	printf("out %s:%d > %s:%d\n", _net_local(this->none, this->ip, 0),
		_tcp_lport(this->none, this->tcp, 0), _net_remote(this->none, this->ip, 0),
		_tcp_rport(this->none, this->tcp, 0));
	printf("in %s:%d < %s:%d\n", _net_local(this->none, this->ip, 1),
		_tcp_lport(this->none, this->tcp, 1), _net_remote(this->none, this->ip, 1),
		_tcp_rport(this->none, this->tcp, 1));
}

syscall::getppid:entry
/pid == $target && !this->v4/
{
	this->none = (struct sock_common *)NULL;
	printf("out %s:%d > %s:%d\n", _udp_local(this->none, this->ip, 0),
		_udp_lport(this->none, this->udp, 0), _udp_remote(this->none, this->ip, 0),
		_udp_rport(this->none, this->udp, 0));
	printf("in %s:%d < %s:%d\n", _udp_local(this->none, this->ip, 1),
		_udp_lport(this->none, this->udp, 1), _udp_remote(this->none, this->ip, 1),
		_udp_rport(this->none, this->udp, 1));
}
