/*
 * Names of parameters differ.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_FORM
 * @ref d-language 7.1 parameter-form
 */
inline int f[int a, int a] = 1;
