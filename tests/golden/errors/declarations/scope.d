/*
 * A backquote in the declared name.
 * @args -x errtags
 */
int a`b;

BEGIN { trace(1); }
