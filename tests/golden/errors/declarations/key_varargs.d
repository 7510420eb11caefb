/*
 * Any further keys.
 * @args -x errtags
 */
int a[int, ...];

BEGIN { trace(1); }
