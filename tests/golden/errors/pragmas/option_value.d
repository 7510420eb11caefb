/*
 * A value that the option can't have.
 * @args -x errtags
 */
#pragma D option strsize=many
BEGIN { trace(1); }
