/*
 * The name of a typedef is no variable.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 typedef-name
 */
typedef int number;
int number;
