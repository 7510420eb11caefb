/*
 * A member that the translator says nothing of.
 * @args -x errtags
 * @ref d-errors 2.6
 * @ref d-errors 2.6 D_XLATE_NOCONV; d-language 16.2 no-conversion */
struct T { int x; int y; };
translator struct T < int i > { x = i; };
BEGIN { trace(xlate < struct T > (1).y); }
