/*
 * The width of a bit-field is a constant.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_BFCONST */
struct s { int a : pid; };
