/*
 * The name of a variable is no typedef.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 typedef-name
 */
int number;
typedef int number;
