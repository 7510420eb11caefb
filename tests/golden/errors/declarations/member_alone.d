/*
 * A member has a name.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13; d-errors 2.1 D_SYNTAX */
struct s { int; };
