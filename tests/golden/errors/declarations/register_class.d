/*
 * register.
 * @args -x errtags
 */
register int x;

BEGIN { trace(1); }
