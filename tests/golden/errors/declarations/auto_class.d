/*
 * auto.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BADCLASS; d-language 7.1 bad-class */
auto int x;

BEGIN { trace(1); }
