/*
 * Arrays that aren't associative.
 * @args -x errtags
 */
int a[4];

BEGIN { trace(1); }
