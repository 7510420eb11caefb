/*
 * A void function has no value.
 * @args -x errtags
 */
void f(int a) { x = a; }
BEGIN { trace(f(1)); }
