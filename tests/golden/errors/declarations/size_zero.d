/*
 * A size of 0.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRSUB; d-language 7.3 bad-size */
int a[0];

BEGIN { trace(1); }
