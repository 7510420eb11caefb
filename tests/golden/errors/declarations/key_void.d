/*
 * A void key.
 * @args -x errtags
 */
int a[void];

BEGIN { trace(1); }
