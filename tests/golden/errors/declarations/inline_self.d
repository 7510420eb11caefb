/*
 * An inline that means itself.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 13 self-reference */
inline int x = x + 1;

BEGIN { trace(1); }
