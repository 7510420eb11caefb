/*
 * A bit-field has no negative width.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_BFCONST */
struct s { int a : -1; };
