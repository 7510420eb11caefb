/*
 * A type that isn't known.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 7.1 unknown-type */
self nosuch_t x;

BEGIN { trace(1); }
