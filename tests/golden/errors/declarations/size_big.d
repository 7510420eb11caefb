/*
 * A size beyond 32 bits.
 * @args -x errtags
 */
int a[0x1ffffffff];

BEGIN { trace(1); }
