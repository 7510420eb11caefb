/*
 * A tag has one body.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_TYPERED */
struct s { int a; };
struct s { int b; };
