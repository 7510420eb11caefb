/*
 * A parameter of an inline is named once.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_PROTO_FORM */
inline int f[int a, int a] = 1;
