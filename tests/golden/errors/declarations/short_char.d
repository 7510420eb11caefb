/*
 * A char is neither long nor short.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_CHARATTR
 * @ref d-language 7.1 long-char
 */
short char c;
