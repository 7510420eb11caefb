/*
 * void and other keys.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_VOID; d-language 7.1 void-among-others */
int a[void, int];

BEGIN { trace(1); }
