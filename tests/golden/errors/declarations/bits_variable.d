/*
 * The width of a bit-field is a constant.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int a : pid; };
