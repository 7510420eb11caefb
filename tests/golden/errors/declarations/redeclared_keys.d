/*
 * Two kinds of keys.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
int x[int];
int x[string];

BEGIN { trace(1); }
