/*
 * An inline of no type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDOBJ; d-language 13 void */
inline void x = 1;

BEGIN { trace(1); }
