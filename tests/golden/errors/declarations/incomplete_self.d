/*
 * A struct is incomplete inside itself.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_INCOMPLETE
 * @ref d-language 7.1 incomplete-object
 * @ref d-language 7.6 self-referential
 */
struct s { int a; struct s inside; };
