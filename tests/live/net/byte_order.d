/*
 * hton*() and ntoh*() swap the bytes of what their argument is cut to.
 * @ref d-builtins 3.3 hton-ntoh
 */
#pragma D option quiet

BEGIN
{
	x = 0x12345678;
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	printf("%x %x %x\n", htons(x), ntohl(x), ntohll(x));
	printf("%x %x\n", htons(0x12345678), htonl(0x123456789abcdef0));
	printf("%d %d %d %d\n", sizeof(htons(1)), sizeof(htonl(1)), sizeof(htonll(1)), sizeof(ntohs(1)));
	printf("%x %x %x\n", htons(-2), htonl(-2), ntohll(-2));
	printf("%d %d\n", ntohs(htons(80)), ntohl(htonl(2130706433)));
	exit(0);
}
