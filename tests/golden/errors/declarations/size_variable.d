/*
 * A size that isn't constant.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRSUB; d-language 7.3 bad-size */
int a[pid];

BEGIN { trace(1); }
