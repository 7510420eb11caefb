/*
 * No option.
 * @args -x errtags
 */
#pragma D option
BEGIN { trace(1); }
