/*
 * A negative size.
 * @args -x errtags
 */
int a[-1];

BEGIN { trace(1); }
