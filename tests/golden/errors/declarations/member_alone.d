/*
 * A member has a name.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int; };
