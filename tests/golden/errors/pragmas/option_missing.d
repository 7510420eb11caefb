/*
 * No option.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 option-malformed; options 1.1 pragma-malformed */
#pragma D option
BEGIN { trace(1); }
