/*
 * The names of keys end with the loop.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF
 */
BEGIN { x[1] = 1; foreach (k in x) trace(k); trace(k); }
