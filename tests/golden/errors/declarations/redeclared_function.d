/*
 * The name of a function.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 built-in-name */
int strlen;

BEGIN { trace(1); }
