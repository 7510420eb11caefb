/*
 * No translator for this pair of types.
 * @args -x errtags
 * @ref d-errors 2.6
 */
struct T { int x; };
translator struct T < int i > { x = i; };
BEGIN { trace(xlate < struct T > ("s").x); }
