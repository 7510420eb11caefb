/*
 * Two types for one clause-local name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 other-type */
this int x;
this string x;

BEGIN { trace(1); }
