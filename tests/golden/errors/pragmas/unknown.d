/*
 * An unknown word after #pragma D.
 * @args -x errtags
 */
#pragma D nosuch
BEGIN { trace(1); }
