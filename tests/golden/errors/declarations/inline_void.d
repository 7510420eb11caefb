/*
 * An inline of no type.
 * @args -x errtags
 */
inline void x = 1;

BEGIN { trace(1); }
