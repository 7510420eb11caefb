/*
 * Dependencies.
 * @args -x errtags
 */
#pragma D depends_on provider syscall
BEGIN { trace(1); }
