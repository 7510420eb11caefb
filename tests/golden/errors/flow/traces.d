/*
 * A function whose value is used records nothing.
 * @args -x errtags
 */
int f(int n) { trace(n); return n; }
BEGIN { trace(f(1)); }
