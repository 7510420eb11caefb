/*
 * An unknown word after #pragma D.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_INVAL; d-language 18 unknown-D */
#pragma D nosuch
BEGIN { trace(1); }
