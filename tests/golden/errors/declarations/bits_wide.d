/*
 * A bit-field is no wider than its type.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int a : 40; };
