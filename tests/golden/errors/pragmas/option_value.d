/*
 * A value that the option can't have.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_OPTSET; d-language 18 option-bad; options 1.1 bad-value pragma-wrapping */
#pragma D option strsize=many
BEGIN { trace(1); }
