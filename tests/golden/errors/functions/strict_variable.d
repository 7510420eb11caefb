/*
 * inet_ntoa6() has to know whether it is strict.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 3.3 inet_ntoa6-strict-constant */
BEGIN
{
	trace(inet_ntoa6((struct in6_addr *)alloca(16), pid));
}
