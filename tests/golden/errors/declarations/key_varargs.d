/*
 * Any further keys.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_VARARGS; d-language 7.1 varargs */
int a[int, ...];

BEGIN { trace(1); }
