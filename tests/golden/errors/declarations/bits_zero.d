/*
 * Only a bit-field without a name has no width.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST
 * @ref d-language 7.5 width-range
 */
struct s { int a : 0; };
