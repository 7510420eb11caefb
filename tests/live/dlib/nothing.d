/*
 * What is not there is told of in words and zeros, and is no fault: sockets, packets, headers,
 * interfaces, requests, files that are NULL.
 * @stderr
 * @ref providers 18.4; providers 18.5; providers 18.6; providers 18.7
 * @ref providers 18.4 fi_name fi_dirname fi_pathname fi_offset fi_fs fi_mount fi_oflags
 * @ref providers 18.5 b_flags b_bcount b_addr b_lblkno b_blkno b_resid b_bufsize b_error b_edev
 * @ref providers 18.6 dev_major dev_minor dev_instance dev_name dev_statname dev_pathname
 * @ref providers 18.7 pkt_addr cs_addr cs_cid cs_pid ip_ver ip_plength ip_saddr ip_daddr if_name if_local if_addr ipv4_ihl ipv4_tos ipv4_length ipv4_ident ipv4_flags ipv4_offset ipv4_ttl ipv4_protocol ipv4_protostr ipv4_checksum ipv4_saddr ipv4_daddr ipv6_plen ipv6_nexthdr ipv6_nextstr ipv6_hlim ipv6_saddr ipv6_daddr tcp_sport tcp_dport tcp_seq tcp_ack tcp_offset tcp_flags tcp_window tcp_checksum tcps_local tcps_active tcps_lport tcps_rport tcps_laddr tcps_raddr tcps_state tcps_iss tcps_suna tcps_snxt tcps_rnxt tcps_swnd tcps_rwnd tcps_snd_ws tcps_rcv_ws tcps_cwnd tcps_rto tcps_mss tcps_retransmit tcps_rtt tcps_irs udp_sport udp_dport udp_length udps_lport udps_rport udps_laddr udps_raddr conninfo_t
 */
#pragma D option quiet

BEGIN
{
	this->ip = (struct iphdr *)NULL;
	printf("%d %d %s %s\n", xlate <ipinfo_t *>(this->ip)->ip_ver,
		xlate <ipinfo_t *>(this->ip)->ip_plength, xlate <ipinfo_t *>(this->ip)->ip_saddr,
		xlate <ipinfo_t *>(this->ip)->ip_daddr);
	printf("%d %d %d %d %d %d %d %d %d %s %d %d %d %s %s %d\n",
		xlate <ipv4info_t *>(this->ip)->ipv4_ver, xlate <ipv4info_t *>(this->ip)->ipv4_ihl,
		xlate <ipv4info_t *>(this->ip)->ipv4_tos,
		xlate <ipv4info_t *>(this->ip)->ipv4_length,
		xlate <ipv4info_t *>(this->ip)->ipv4_ident,
		xlate <ipv4info_t *>(this->ip)->ipv4_flags,
		xlate <ipv4info_t *>(this->ip)->ipv4_offset,
		xlate <ipv4info_t *>(this->ip)->ipv4_ttl,
		xlate <ipv4info_t *>(this->ip)->ipv4_protocol,
		xlate <ipv4info_t *>(this->ip)->ipv4_protostr,
		xlate <ipv4info_t *>(this->ip)->ipv4_checksum,
		xlate <ipv4info_t *>(this->ip)->ipv4_src, xlate <ipv4info_t *>(this->ip)->ipv4_dst,
		xlate <ipv4info_t *>(this->ip)->ipv4_saddr,
		xlate <ipv4info_t *>(this->ip)->ipv4_daddr,
		xlate <ipv4info_t *>(this->ip)->ipv4_hdr != NULL);
}

BEGIN
{
	this->ip6 = (struct ipv6hdr *)NULL;
	printf("%d %d %d %d %d %s %d %d %d %s %s %d\n", xlate <ipv6info_t *>(this->ip6)->ipv6_ver,
		xlate <ipv6info_t *>(this->ip6)->ipv6_tclass,
		xlate <ipv6info_t *>(this->ip6)->ipv6_flow,
		xlate <ipv6info_t *>(this->ip6)->ipv6_plen,
		xlate <ipv6info_t *>(this->ip6)->ipv6_nexthdr,
		xlate <ipv6info_t *>(this->ip6)->ipv6_nextstr,
		xlate <ipv6info_t *>(this->ip6)->ipv6_hlim,
		xlate <ipv6info_t *>(this->ip6)->ipv6_src != NULL,
		xlate <ipv6info_t *>(this->ip6)->ipv6_dst != NULL,
		xlate <ipv6info_t *>(this->ip6)->ipv6_saddr,
		xlate <ipv6info_t *>(this->ip6)->ipv6_daddr,
		xlate <ipv6info_t *>(this->ip6)->ipv6_hdr != NULL);
	this->dev = (struct net_device *)NULL;
	printf("%s %d %d %d\n", xlate <ifinfo_t *>(this->dev)->if_name,
		xlate <ifinfo_t *>(this->dev)->if_local, xlate <ifinfo_t *>(this->dev)->if_ipstack,
		xlate <ifinfo_t *>(this->dev)->if_addr);
	this->sk = (struct sock *)NULL;
	printf("%d %d %d %d %d\n", xlate <pktinfo_t *>((struct sk_buff *)NULL)->pkt_addr,
		xlate <csinfo_t *>(this->sk)->cs_addr, xlate <csinfo_t *>(this->sk)->cs_cid,
		xlate <csinfo_t *>(this->sk)->cs_pid, xlate <csinfo_t *>(this->sk)->cs_zoneid);
	printf("%s %s %s\n", xlate <conninfo_t *>(this->sk)->ci_local,
		xlate <conninfo_t *>(this->sk)->ci_remote,
		xlate <conninfo_t *>(this->sk)->ci_protocol);
}

BEGIN
{
	this->th = (struct tcphdr *)NULL;
	printf("%d %d %d %d %d %d %d %d %d %d\n", xlate <tcpinfo_t *>(this->th)->tcp_sport,
		xlate <tcpinfo_t *>(this->th)->tcp_dport, xlate <tcpinfo_t *>(this->th)->tcp_seq,
		xlate <tcpinfo_t *>(this->th)->tcp_ack, xlate <tcpinfo_t *>(this->th)->tcp_offset,
		xlate <tcpinfo_t *>(this->th)->tcp_flags, xlate <tcpinfo_t *>(this->th)->tcp_window,
		xlate <tcpinfo_t *>(this->th)->tcp_checksum,
		xlate <tcpinfo_t *>(this->th)->tcp_urgent,
		xlate <tcpinfo_t *>(this->th)->tcp_hdr != NULL);
	this->tp = (struct tcp_sock *)NULL;
	printf("%d %d %d %d %d %s %s %d %d %d\n", xlate <tcpsinfo_t *>(this->tp)->tcps_addr,
		xlate <tcpsinfo_t *>(this->tp)->tcps_local,
		xlate <tcpsinfo_t *>(this->tp)->tcps_active,
		xlate <tcpsinfo_t *>(this->tp)->tcps_lport,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rport,
		xlate <tcpsinfo_t *>(this->tp)->tcps_laddr,
		xlate <tcpsinfo_t *>(this->tp)->tcps_raddr,
		xlate <tcpsinfo_t *>(this->tp)->tcps_state,
		xlate <tcpsinfo_t *>(this->tp)->tcps_iss, xlate <tcpsinfo_t *>(this->tp)->tcps_irs);
	printf("%d %d %d %d %d %d %d %d %d\n", xlate <tcpsinfo_t *>(this->tp)->tcps_suna,
		xlate <tcpsinfo_t *>(this->tp)->tcps_snxt,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rack,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rnxt,
		xlate <tcpsinfo_t *>(this->tp)->tcps_swnd,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rwnd,
		xlate <tcpsinfo_t *>(this->tp)->tcps_snd_ws,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rcv_ws,
		xlate <tcpsinfo_t *>(this->tp)->tcps_cwnd);
	printf("%d %d %d %d %d %d %d %d\n", xlate <tcpsinfo_t *>(this->tp)->tcps_cwnd_ssthresh,
		xlate <tcpsinfo_t *>(this->tp)->tcps_sack_fack,
		xlate <tcpsinfo_t *>(this->tp)->tcps_sack_snxt,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rto, xlate <tcpsinfo_t *>(this->tp)->tcps_mss,
		xlate <tcpsinfo_t *>(this->tp)->tcps_retransmit,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rtt,
		xlate <tcpsinfo_t *>(this->tp)->tcps_rtt_sd);
}

BEGIN
{
	this->uh = (struct udphdr *)NULL;
	printf("%d %d %d %d %d\n", xlate <udpinfo_t *>(this->uh)->udp_sport,
		xlate <udpinfo_t *>(this->uh)->udp_dport, xlate <udpinfo_t *>(this->uh)->udp_length,
		xlate <udpinfo_t *>(this->uh)->udp_checksum,
		xlate <udpinfo_t *>(this->uh)->udp_hdr != NULL);
	this->up = (struct udp_sock *)NULL;
	printf("%d %d %d %s %s\n", xlate <udpsinfo_t *>(this->up)->udps_addr,
		xlate <udpsinfo_t *>(this->up)->udps_lport,
		xlate <udpsinfo_t *>(this->up)->udps_rport,
		xlate <udpsinfo_t *>(this->up)->udps_laddr,
		xlate <udpsinfo_t *>(this->up)->udps_raddr);
}

BEGIN
{
	this->bio = (struct bio *)NULL;
	printf("%x %d %d %d %d %d %d %d %d %d\n", xlate <bufinfo_t *>(this->bio)->b_flags,
		xlate <bufinfo_t *>(this->bio)->b_bcount,
		xlate <bufinfo_t *>(this->bio)->b_addr != NULL,
		xlate <bufinfo_t *>(this->bio)->b_lblkno, xlate <bufinfo_t *>(this->bio)->b_blkno,
		xlate <bufinfo_t *>(this->bio)->b_resid, xlate <bufinfo_t *>(this->bio)->b_bufsize,
		xlate <bufinfo_t *>(this->bio)->b_iodone != NULL,
		xlate <bufinfo_t *>(this->bio)->b_error, xlate <bufinfo_t *>(this->bio)->b_edev);
	this->io = (_io_bio)NULL;
	printf("%x %d %d %d %d %d %d %d %d %d\n", xlate <bufinfo_t *>(this->io)->b_flags,
		xlate <bufinfo_t *>(this->io)->b_bcount,
		xlate <bufinfo_t *>(this->io)->b_addr != NULL,
		xlate <bufinfo_t *>(this->io)->b_lblkno, xlate <bufinfo_t *>(this->io)->b_blkno,
		xlate <bufinfo_t *>(this->io)->b_resid, xlate <bufinfo_t *>(this->io)->b_bufsize,
		xlate <bufinfo_t *>(this->io)->b_iodone != NULL,
		xlate <bufinfo_t *>(this->io)->b_error, xlate <bufinfo_t *>(this->io)->b_edev);
	printf("%d %d %d %s %s %s\n", xlate <devinfo_t *>(this->bio)->dev_major,
		xlate <devinfo_t *>(this->bio)->dev_minor,
		xlate <devinfo_t *>(this->bio)->dev_instance,
		xlate <devinfo_t *>(this->bio)->dev_name,
		xlate <devinfo_t *>(this->bio)->dev_statname,
		xlate <devinfo_t *>(this->bio)->dev_pathname);
	printf("%s %s %s %d %s %s %d\n", xlate <fileinfo_t *>(this->bio)->fi_name,
		xlate <fileinfo_t *>(this->bio)->fi_dirname,
		xlate <fileinfo_t *>(this->bio)->fi_pathname,
		xlate <fileinfo_t *>(this->bio)->fi_offset, xlate <fileinfo_t *>(this->bio)->fi_fs,
		xlate <fileinfo_t *>(this->bio)->fi_mount,
		xlate <fileinfo_t *>(this->bio)->fi_oflags);
}

BEGIN
{
	this->file = (struct file *)NULL;
	printf("%s %s %s %d %s %s %d\n", xlate <fileinfo_t *>(this->file)->fi_name,
		xlate <fileinfo_t *>(this->file)->fi_dirname,
		xlate <fileinfo_t *>(this->file)->fi_pathname,
		xlate <fileinfo_t *>(this->file)->fi_offset,
		xlate <fileinfo_t *>(this->file)->fi_fs, xlate <fileinfo_t *>(this->file)->fi_mount,
		xlate <fileinfo_t *>(this->file)->fi_oflags);
	exit(0);
}
