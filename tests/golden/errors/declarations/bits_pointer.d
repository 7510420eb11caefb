/*
 * A pointer has no bit-fields.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFTYPE
 * @ref d-language 7.5 base-type
 */
struct s { int *a : 3; };
