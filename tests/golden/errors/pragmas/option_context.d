/*
 * An option that comes too late in a program.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_OPTSET; d-language 18.1 forbidden; options 1.1 not-in-pragma */
#pragma D option incdir=/tmp
BEGIN { trace(1); }
