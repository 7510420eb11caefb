/*
 * An inline defined twice.
 * @args -x errtags
 */
inline int x = 1;
inline int x = 2;

BEGIN { trace(1); }
