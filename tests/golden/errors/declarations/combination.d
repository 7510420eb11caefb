/*
 * short and long together.
 * @args -x errtags
 */
short long x;

BEGIN { trace(1); }
