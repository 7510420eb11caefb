/*
 * A variable of type void.
 * @args -x errtags
 */
void x;

BEGIN { trace(1); }
