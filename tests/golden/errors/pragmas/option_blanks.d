/*
 * Blanks around the =.
 * @args -x errtags
 */
#pragma D option strsize = 5
BEGIN { trace(1); }
