/*
 * A storage class on a key.
 * @args -x errtags
 */
int a[static int];

BEGIN { trace(1); }
