/*
 * The width of a bit-field is a constant.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFCONST; d-language 7.5 width-constant
 */
struct s { int a : pid; };
