/*
 * static.
 * @args -x errtags
 */
static int x;

BEGIN { trace(1); }
