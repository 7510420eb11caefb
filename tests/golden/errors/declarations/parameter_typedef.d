/*
 * A class in a prototype.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PARMCLASS
 * @ref d-language 7.1 parameter-class
 */
extern int f(typedef int);
