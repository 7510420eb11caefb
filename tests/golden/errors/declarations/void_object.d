/*
 * A variable of type void.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDOBJ; d-language 7.1 void-object */
void x;

BEGIN { trace(1); }
