/*
 * Addresses that cannot be read, kinds of them that there are not.
 * @stderr
 * @ref d-builtins 3.3 bad-pointer inet_ntop-family link_ntop-type
 * @ref d-language 22.1 illop
 */
#pragma D option quiet

BEGIN { five = 5; }
BEGIN { trace(inet_ntoa((ipaddr_t *)16)); }
BEGIN { trace(inet_ntoa6((struct in6_addr *)24)); }
BEGIN { trace(inet_ntop(2, (void *)32)); }
BEGIN { trace(inet_ntop(10, (void *)40)); }
BEGIN { trace(link_ntop(1, (void *)48)); }
BEGIN { trace(inet_ntop(five, alloca(16))); }
BEGIN { trace(link_ntop(five, alloca(20))); }
BEGIN { exit(0); }

ERROR
{
	printf("%d %d %d\n", arg2, arg4, arg5);
}
