/*
 * long before char.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_CHARATTR; d-language 7.1 long-char */
long char c;

BEGIN { trace(1); }
