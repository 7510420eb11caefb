/*
 * A struct has no bit-fields.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_BFTYPE
 * @ref d-language 7.5 base-type
 */
struct t { int i; };
struct s { struct t a : 3; };
