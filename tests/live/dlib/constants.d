/*
 * Constants of the libraries, one of each group and those at the ends.
 * @ref d-builtins 1 library-constants
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
}

/* types */
BEGIN
{
	printf("%d %d %d\n", sizeof (ipaddr_t), sizeof (in6_addr_t), sizeof (timestruc_t));
	printf("%d %d %d\n", sizeof (processorid_t), sizeof (zoneid_t), sizeof (psetid_t));
	exit(0);
}
