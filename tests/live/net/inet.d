/*
 * inet_ntoa(), inet_ntoa6(), inet_ntop(), link_ntop(): the text of addresses.
 * @ref d-builtins 3.3 inet_ntoa inet_ntoa6 inet_ntop link_ntop
 */
#pragma D option quiet

BEGIN
{
	this->a = (ipaddr_t *)alloca(4);
	*this->a = htonl(0x7f000001);
	printf("%s", inet_ntoa(this->a));
	*this->a = 0;
	printf(" %s", inet_ntoa(this->a));
	*this->a = -1;
	printf(" %s", inet_ntoa(this->a));
	*this->a = htonl(0x0a0b0c0d);
	printf(" %s %s\n", inet_ntoa(this->a), inet_ntop(2, this->a));
}

BEGIN
{
	this->p = (uint64_t *)alloca(16);
	this->q = (struct in6_addr *)this->p;
	this->p[0] = 0;
	this->p[1] = 0;
	printf("%s", inet_ntoa6(this->q));
	this->p[1] = htonll(1);
	printf(" %s", inet_ntoa6(this->q));
	this->p[0] = htonll(0x20010db800000000);
	printf(" %s %s", inet_ntoa6(this->q), inet_ntop(10, this->q));
	this->p[0] = htonll(0xfe80000000000000);
	this->p[1] = 0;
	printf(" %s\n", inet_ntoa6(this->q));
	this->p[0] = htonll(0x2001000000000001);
	this->p[1] = htonll(0x0000000000010001);
	printf("%s", inet_ntoa6(this->q));
	this->p[1] = htonll(1);
	printf(" %s", inet_ntoa6(this->q));
	this->p[0] = htonll(0x0001000000020003);
	this->p[1] = htonll(0x0004000500060007);
	printf(" %s", inet_ntoa6(this->q));
	this->p[0] = htonll(0x00010a0000200300);
	this->p[1] = htonll(0x0fff00f000ff0abc);
	printf(" %s\n", inet_ntoa6(this->q));
	this->p[0] = 0;
	this->p[1] = htonll(0x7f000001);
	printf("%s %s %s", inet_ntoa6(this->q), inet_ntoa6(this->q, 0), inet_ntoa6(this->q, 1));
	this->p[1] = htonll(0x0000ffff7f000001);
	printf(" %s %s\n", inet_ntoa6(this->q), inet_ntoa6(this->q, 1));
	this->p[1] = htonll(0x0000fffe7f000001);
	printf("%s", inet_ntoa6(this->q));
	this->p[1] = htonll(0x0001000000000000);
	printf(" %s\n", inet_ntoa6(this->q));
}

BEGIN
{
	this->l = (uint8_t *)alloca(20);
	*(uint64_t *)this->l = htonll(0x00a1b2c3d4e5f607);
	*(uint64_t *)(this->l + 8) = htonll(0x0102030405060708);
	*(uint32_t *)(this->l + 16) = htonl(0x090a0b0c);
	printf("%s\n", link_ntop(1, this->l));
	printf("%s\n", link_ntop(32, this->l));
	exit(0);
}
