/*
 * A scalar and an array of one name.
 * @args -x errtags
 */
int x;
int x[int];

BEGIN { trace(1); }
