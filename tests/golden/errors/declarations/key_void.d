/*
 * A void key.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_TYPE; d-language 7.1 key-type */
int a[void];

BEGIN { trace(1); }
