/*
 * A scalar and an array of one name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
int x;
int x[int];

BEGIN { trace(1); }
