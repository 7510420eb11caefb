/*
 * Constants of the libraries, one of each group and those at the ends.
 * @ref d-builtins 1 library-constants
 * @ref providers 18.8 B_ O_ CLD_ TH_ TCP_STATE_ RW_ NET_PROBE_ PCAP_ IPPROTO_ SIG; providers 18.4 O_constants; providers 10 tcp_state_string
 * @ref providers 18.7 tcps_state
 * @ref providers 18.8
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", SIGHUP, SIGSYS, EPERM, ENAMETOOLONG);
	printf("%d %d\n", DTRACEFLT_BADADDR, DTRACEFLT_LIBRARY);
	printf("%d %d %d %d %d %d %d\n", SSLEEP, SRUN, SZOMB, SSTOP, SIDL, SONPROC, SWAIT);
	printf("%x %x %x %x\n", PR_STOPPED, PR_ISTOP, PR_DSTOP, PR_IDLE);
	printf("%d %d %d\n", PR_MODEL_UNKNOWN, PR_MODEL_ILP32, PR_MODEL_LP64);
	printf("%d %d %d %d\n", P_ALL, P_PID, P_PGID, P_PIDFD);
	printf("%d %d %d %d %d %d\n", CLD_EXITED, CLD_KILLED, CLD_DUMPED, CLD_TRAPPED, CLD_STOPPED,
		CLD_CONTINUED);
	printf("%o %o %o %o %o %o\n", O_ACCMODE, O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL);
	printf("%o %o %o %o %o %o\n", O_NOCTTY, O_TRUNC, O_APPEND, O_NONBLOCK, O_NDELAY, O_DSYNC);
	printf("%o %o %o %o %o\n", O_ASYNC, O_DIRECTORY, O_NOFOLLOW, O_CLOEXEC, O_SYNC);
	printf("%o %o\n", O_RSYNC, O_FSYNC);
	printf("%d %d %d %d\n", AF_INET, AF_INET6, ARPHRD_ETHER, ARPHRD_INFINIBAND);
	printf("%d %d %d %d\n", IPPROTO_ICMP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_RAW);
	printf("%d %d %d %d %d %d\n", PCAP_NULL, PCAP_ETHER, PCAP_PPP, PCAP_IP, PCAP_WIFI,
		PCAP_IPOIB);
	printf("%d %d %d %d\n", RW_WRITER, RW_READER, NET_PROBE_OUTBOUND, NET_PROBE_INBOUND);
	printf("%x %x %x %x %x %x %x %x\n", B_BUSY, B_DONE, B_ERROR, B_PAGEIO, B_PHYS, B_READ, B_WRITE,
		B_ASYNC);
	printf("%x %x %x %x %x %x %x %x\n", TH_FIN, TH_SYN, TH_RST, TH_PSH, TH_ACK, TH_URG, TH_ECE,
		TH_CWR);
	printf("%d %x %x %x %x %x\n", TH_PUSH == TH_PSH, PR_STEP, PR_ASLEEP, PR_ISSYS, PR_FORK,
		PR_MSFORK);
	printf("%d %d %d %d\n", PR_REQUESTED, PR_CHECKPOINT, SOBJ_MUTEX, SOBJ_SHUTTLE);
	printf("%d %d %s\n", IPPROTO_HOPOPTS, IPPROTO_ENCAP, tcp_state_string[TCP_STATE_BOUND]);
	printf("%d %d %d\n", TCP_MIN_HEADER_LENGTH, IPH_MF, IPH_DF);
	printf("%s\n", zonename);
}

/* states of TCP */
BEGIN
{
	printf("%d %d %d %d %d %d\n", TCP_STATE_IDLE, TCP_STATE_ESTABLISHED, TCP_STATE_SYN_SENT,
		TCP_STATE_SYN_RECEIVED, TCP_STATE_FIN_WAIT_1, TCP_STATE_FIN_WAIT_2);
	printf("%d %d %d %d %d %d\n", TCP_STATE_TIME_WAIT, TCP_STATE_CLOSED, TCP_STATE_CLOSE_WAIT,
		TCP_STATE_LAST_ACK, TCP_STATE_LISTEN, TCP_STATE_CLOSING);
	for (this->i = 0; this->i <= 12; this->i++)
		printf("%d %s\n", xlate <tcplsinfo_t>(this->i).tcps_state,
			tcp_state_string[xlate <tcplsinfo_t>(this->i).tcps_state]);
	printf("%s %s\n", tcp_state_string[-1], tcp_state_string[12]);
}

/* types */
BEGIN
{
	printf("%d %d %d\n", sizeof (ipaddr_t), sizeof (in6_addr_t), sizeof (timestruc_t));
	printf("%d %d %d\n", sizeof (processorid_t), sizeof (zoneid_t), sizeof (psetid_t));
	printf("%d %d %d\n", sizeof (time_t), sizeof (caddr_t), sizeof (netstackid_t));
	exit(0);
}
