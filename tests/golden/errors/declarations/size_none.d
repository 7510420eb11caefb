/*
 * No size.
 * @args -x errtags
 */
int a[];

BEGIN { trace(1); }
