/*
 * An unknown option.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_OPTSET; d-language 18 option-bad; options 1.1 unknown pragma-wrapping pragma-tags */
#pragma D option nosuch
BEGIN { trace(1); }
