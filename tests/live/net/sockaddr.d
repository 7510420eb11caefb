/*
 * sockaddr(): the text of a socket address of each family, cut to the length that is given.
 */
#pragma D option quiet

BEGIN
{
	this->s = (uint8_t *)alloca(128);
	*(uint16_t *)this->s = 2;
	*(uint16_t *)(this->s + 2) = htons(8080);
	*(uint32_t *)(this->s + 4) = htonl(0x01020304);
	printf("%s %s %s [%s]\n", sockaddr(this->s), sockaddr(this->s, 16), sockaddr(this->s, 4),
	    sockaddr(this->s, 1));
	*(uint16_t *)this->s = 10;
	*(uint64_t *)(this->s + 8) = 0;
	*(uint64_t *)(this->s + 16) = htonll(1);
	printf("%s %s\n", sockaddr(this->s), sockaddr(this->s, 16));
	*(uint64_t *)(this->s + 16) = htonll(0xffff7f000001);
	printf("%s\n", sockaddr(this->s, 28));
	*(uint16_t *)this->s = 16;
	printf("%s\n", sockaddr(this->s));
}

BEGIN
{
	this->s = (uint8_t *)alloca(128);
	*(uint16_t *)this->s = 1;
	this->s[2] = '/';
	this->s[3] = 'a';
	this->s[4] = 'b';
	this->s[5] = 0;
	printf("%s %s", sockaddr(this->s), sockaddr(this->s, 4));
	this->s[2] = 0;
	printf(" %s %s [%s]\n", sockaddr(this->s), sockaddr(this->s, 4), sockaddr(this->s, 2));
	@[sockaddr(this->s)] = count();
}

BEGIN
{
	trace(sockaddr((void *)16));
}

ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
	exit(0);
}
