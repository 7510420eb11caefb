/*
 * No size.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRNULL; d-language 7.3 no-size */
int a[];

BEGIN { trace(1); }
