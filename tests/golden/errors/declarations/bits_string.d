/*
 * A bit-field is an integer.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_BFTYPE */
struct s { string a : 3; };
