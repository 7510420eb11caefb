/*
 * A storage class on a key.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PARMCLASS; d-language 7.1 parameter-class */
int a[static int];

BEGIN { trace(1); }
