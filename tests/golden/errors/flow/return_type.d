/*
 * A value of another type.
 * @args -x errtags
 */
int f(void) { return "s"; }
