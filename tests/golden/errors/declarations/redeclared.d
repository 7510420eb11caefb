/*
 * Two types for one name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
int x;
char *x;

BEGIN { trace(1); }
