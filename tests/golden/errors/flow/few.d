/*
 * Too few arguments.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN
 */
int f(int a, int b) { return a + b; }
BEGIN { trace(f(1)); }
