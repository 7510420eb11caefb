/*
 * Two types for one thread-local name.
 * @args -x errtags
 */
self int x;
self string x;

BEGIN { trace(1); }
