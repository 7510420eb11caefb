/*
 * Two names where one is expected.
 * @args -x errtags
 */
int a b;

BEGIN { trace(1); }
