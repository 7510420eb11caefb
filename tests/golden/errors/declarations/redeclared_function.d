/*
 * The name of a function.
 * @args -x errtags
 */
int strlen;

BEGIN { trace(1); }
