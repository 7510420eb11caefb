/*
 * Two kinds of keys.
 * @args -x errtags
 */
int x[int];
int x[string];

BEGIN { trace(1); }
