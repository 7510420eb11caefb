/*
 * A tag has one body.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int a; };
struct s { int b; };
