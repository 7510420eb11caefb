/*
 * A bit-field has no negative width.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { int a : -1; };
