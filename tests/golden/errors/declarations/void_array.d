/*
 * Nor are elements.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDOBJ
 * @ref d-language 7.1 void-object
 */
void x[3];
