/*
 * An unknown option.
 * @args -x errtags
 */
#pragma D option nosuch
BEGIN { trace(1); }
