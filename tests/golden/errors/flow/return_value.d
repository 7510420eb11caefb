/*
 * A void function returns nothing.
 * @args -x errtags
 */
void f(void) { return 3; }
