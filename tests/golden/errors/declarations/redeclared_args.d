/*
 * args is built in.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 built-in-name
 */
int args;
