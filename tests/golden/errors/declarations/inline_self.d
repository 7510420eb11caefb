/*
 * An inline that means itself.
 * @args -x errtags
 */
inline int x = x + 1;

BEGIN { trace(1); }
