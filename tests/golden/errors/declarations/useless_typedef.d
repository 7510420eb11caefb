/*
 * typedef without a name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_USELESS
 * @ref d-language 7.1 useless
 */
typedef int;
