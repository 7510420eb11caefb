/*
 * Two types for one thread-local name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
self int x;
self string x;

BEGIN { trace(1); }
