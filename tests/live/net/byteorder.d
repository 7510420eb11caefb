/*
 * htons() and its like: of constants, variables and arguments of a probe; the argument is brought to its width first, the
 * results have no sign.
 * @trigger values ints 0x1234 -2 0xabcd1234 128
 * @ref d-builtins 3.3 hton-ntoh
 * @ref d-builtins 2 nested-subroutines
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	printf("width first %x %x %x\n", htons(0xabcd1234), htonl(0x1122334455667788), htonll((char)-2));
	printf("width first %x %x %x\n", ntohs(0xabcd1234), ntohl(-2), ntohll((unsigned char)254));
	printf("bytes %d %d %d %d %d %d\n", sizeof(htons(1)), sizeof(ntohs(1)), sizeof(htonl(1)), sizeof(ntohl(1)),
		sizeof(htonll(1)), sizeof(ntohll(1)));
	printf("no sign %d %d %d\n", htons(0x80), htonl(0x80), htonll(0x80));
	printf("there and back %x %x %x\n", ntohs(htons(0xcafe)), ntohl(htonl(0xcafebabe)),
		ntohll(htonll(0xcafebabedeadbeef)));
	x = 0x1122334455667788;
	c = (char)-128;
	printf("of variables %x %x %x %x %x\n", htons(x), htonl(x), htonll(x), htons(c), htonll(c));
	printf("in expressions %x %d %d\n", htons(1) | htons(2), htons(0x100) + 1, htonl(0xff) > 0);
	a[htons(0x100)] = 7;
	printf("as a key %d\n", a[1]);
	@[htonl(0x1000000)] = sum(htons(0x0200));
}

syscall::getppid:entry
/pid == $target && ntohs(htons(arg1)) == arg1/
{
	printf("argument %x: %x %x %x\n", arg0, htons(arg0), htonl(arg0), htonll(arg0));
}
