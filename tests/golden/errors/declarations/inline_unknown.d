/*
 * An inline of a type that is not known.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13; d-errors 2.1 D_SYNTAX */
inline nosuch_t x = 1;

BEGIN { trace(1); }
