/*
 * Two types for one name.
 * @args -x errtags
 */
int x;
char *x;

BEGIN { trace(1); }
