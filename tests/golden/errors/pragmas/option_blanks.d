/*
 * Blanks around the =.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 option-malformed */
#pragma D option strsize = 5
BEGIN { trace(1); }
