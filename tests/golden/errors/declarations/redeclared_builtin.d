/*
 * The name of a built-in variable.
 * @args -x errtags
 */
int pid;

BEGIN { trace(1); }
