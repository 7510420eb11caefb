/*
 * inet_ntoa6() and inet_ntop(): the longest run of two or more zero groups becomes ::, the first of equally long ones;
 * addresses that hold an IPv4 one are its dotted quad, with strict the prefix too, and as in C for inet_ntop().
 * @ref d-builtins 3.3 inet_ntoa6 inet_ntop
 */
#pragma D option quiet

string show(uint64_t high, uint64_t low)
{
	this->a = (uint64_t *)alloca(16);
	this->a[0] = htonll(high);
	this->a[1] = htonll(low);
	this->p = (struct in6_addr *)this->a;
	return strjoin(inet_ntoa6(this->p),
		strjoin("\t", strjoin(inet_ntoa6(this->p, 1), strjoin("\t", inet_ntop(10, this->p)))));
}

BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000000000000000)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000000000000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000000000000002)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x000000007f000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000ffff7f000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000ffff00000000)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000ffff00000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000000000010000)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x00000000ffffffff)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000fffe7f000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0001ffff7f000001)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0xffff000001020304)); }
BEGIN { printf("%s\n", show(0x0001000000000000, 0x0000ffff01020304)); }
BEGIN { printf("%s\n", show(0x20010db800000000, 0x0001000000000001)); }
BEGIN { printf("%s\n", show(0x20010db800000001, 0x0001000100000001)); }
BEGIN { printf("%s\n", show(0x20010db800000001, 0x0001000100010001)); }
BEGIN { printf("%s\n", show(0x2001000000000001, 0x0000000000000001)); }
BEGIN { printf("%s\n", show(0x20010db800000000, 0x0000000000000000)); }
BEGIN { printf("%s\n", show(0xfe80000000000000, 0x12ab34fffe5678cd)); }
BEGIN { printf("%s\n", show(0xffffffffffffffff, 0xffffffffffffffff)); }
BEGIN { printf("%s\n", show(0x0000000100020003, 0x0004000500060007)); }
BEGIN { printf("%s\n", show(0x0000000000010002, 0x0003000400050006)); }
BEGIN { printf("%s\n", show(0x0001000200030004, 0x0005000600000000)); }
BEGIN { printf("%s\n", show(0x0001000200030004, 0x0005000600070000)); }
BEGIN { printf("%s\n", show(0x0001000000000002, 0x0003000000000004)); }
BEGIN { printf("%s\n", show(0x0000000000000001, 0x0000000000000000)); }
BEGIN { printf("%s\n", show(0x0abc00000def0000, 0x000a000000010000)); }
BEGIN { printf("%s\n", show(0xff02000000000000, 0x00000000000000fb)); }
BEGIN { printf("%s\n", show(0x1000010000100001, 0x0000000100100100)); }
BEGIN { printf("%s\n", show(0x0000000000010000, 0x0000000000000000)); }
BEGIN { printf("%s\n", show(0x0000000000000000, 0x0000000000010002)); exit(0); }
