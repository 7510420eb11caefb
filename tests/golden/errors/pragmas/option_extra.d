/*
 * A word after the option.
 * @args -x errtags
 */
#pragma D option quiet foo
BEGIN { trace(1); }
