/*
 * Inlines with parameters.
 * @args -x errtags
 */
inline int twice[int a] = a + a;

BEGIN { trace(twice[2]); }
