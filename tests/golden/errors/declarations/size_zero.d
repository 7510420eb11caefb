/*
 * A size of 0.
 * @args -x errtags
 */
int a[0];

BEGIN { trace(1); }
