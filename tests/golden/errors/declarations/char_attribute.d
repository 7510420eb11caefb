/*
 * long before char.
 * @args -x errtags
 */
long char c;

BEGIN { trace(1); }
