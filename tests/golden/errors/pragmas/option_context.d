/*
 * An option that comes too late in a program.
 * @args -x errtags
 */
#pragma D option incdir=/tmp
BEGIN { trace(1); }
