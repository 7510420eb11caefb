/*
 * Two translators for the same pair of types.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_REDECL; d-language 16.1 redefined */
struct T { int x; };
translator struct T < int i > { x = i; };
translator struct T < int i > { x = i; };
