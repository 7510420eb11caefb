/*
 * No translator for this pair of types.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_NONE; d-language 16.2 no-translator */
struct T { int x; };
translator struct T < int i > { x = i; };
BEGIN { trace(xlate < struct T > ("s").x); }
