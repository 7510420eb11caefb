/*
 * A negative size.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRSUB; d-language 7.3 bad-size */
int a[-1];

BEGIN { trace(1); }
