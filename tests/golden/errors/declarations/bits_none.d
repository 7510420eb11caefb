/*
 * A bit-field of no width has no name.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int a : 0; };
