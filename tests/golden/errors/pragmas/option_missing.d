/*
 * No option.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 option-malformed */
#pragma D option
BEGIN { trace(1); }
