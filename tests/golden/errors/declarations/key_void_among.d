/*
 * void and other keys.
 * @args -x errtags
 */
int a[void, int];

BEGIN { trace(1); }
