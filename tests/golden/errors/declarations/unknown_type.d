/*
 * A type that isn't known.
 * @args -x errtags
 */
self nosuch_t x;

BEGIN { trace(1); }
