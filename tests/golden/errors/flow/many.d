/*
 * Too many arguments.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN
 */
int f(int a) { return a; }
BEGIN { trace(f(1, 2)); }
