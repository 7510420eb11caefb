/*
 * auto.
 * @args -x errtags
 */
auto int x;

BEGIN { trace(1); }
