/*
 * A size beyond 32 bits.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRBIG; d-language 7.3 size-too-big */
int a[0x1ffffffff];

BEGIN { trace(1); }
