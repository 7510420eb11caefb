/*
 * Clause-local variables have one type, too.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 other-type
 */
this int x;
this string x;
