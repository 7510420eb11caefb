/*
 * unsigned before void.
 * @args -x errtags
 */
unsigned void *p;

BEGIN { trace(1); }
