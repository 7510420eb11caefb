/*
 * A size that isn't constant.
 * @args -x errtags
 */
int a[pid];

BEGIN { trace(1); }
