/*
 * Members of an incomplete type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_INCOMPLETE
 * @ref d-language 7.1 incomplete-object
 */
struct s { struct nosuch x; };
