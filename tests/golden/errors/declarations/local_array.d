/*
 * A clause-local associative array.
 * @args -x errtags
 */
this int a[int];

BEGIN { trace(1); }
