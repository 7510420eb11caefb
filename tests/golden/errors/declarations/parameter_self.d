/*
 * A key that is thread-local.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13; d-errors 2.1 D_SYNTAX */
int a[self int];

BEGIN { trace(1); }
