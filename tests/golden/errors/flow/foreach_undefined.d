/*
 * An array that is not there.
 * @args -x errtags
 * @ref d-errors 2.9 D_VAR_UNDEF
 */
BEGIN { foreach (k in nosuch) trace(k); }
