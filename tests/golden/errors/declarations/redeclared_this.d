/*
 * Two types for one clause-local name.
 * @args -x errtags
 */
this int x;
this string x;

BEGIN { trace(1); }
