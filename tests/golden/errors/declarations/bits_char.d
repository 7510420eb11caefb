/*
 * A bit-field is no wider than its type: char.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFSIZE
 * @ref d-language 7.5 width-range
 */
struct s { char a : 9; };
