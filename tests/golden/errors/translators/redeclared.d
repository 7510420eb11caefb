/*
 * Two translators for the same pair of types.
 * @args -x errtags
 * @ref d-errors 2.6
 */
struct T { int x; };
translator struct T < int i > { x = i; };
translator struct T < int i > { x = i; };
