/*
 * unsigned before float.
 * @args -x errtags
 */
unsigned float x;

BEGIN { trace(1); }
