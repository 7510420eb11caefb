/*
 * An argument of another type.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG
 */
int f(int a, string s) { return a; }
BEGIN { trace(f(1, 2)); }
