/*
 * The name of an inline.
 * @args -x errtags
 */
inline int x = 1;
int x;

BEGIN { trace(1); }
