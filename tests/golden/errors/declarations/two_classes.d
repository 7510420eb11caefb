/*
 * Two storage classes.
 * @args -x errtags
 */
self this int x;

BEGIN { trace(1); }
