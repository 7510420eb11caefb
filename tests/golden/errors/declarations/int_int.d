/*
 * One base type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_COMBO
 * @ref d-language 7.1 combination
 */
int int x;
