/*
 * A function returns what it says.
 * @args -x errtags
 */
int f(void) { return; }
