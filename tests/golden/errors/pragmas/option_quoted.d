/*
 * A quoted value.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18.1 one-token */
#pragma D option strsize="5"
BEGIN { trace(1); }
