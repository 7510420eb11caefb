/*
 * A bit-field is an integer.
 * @args -x errtags
 * @ref d-errors 2.13
 */
struct s { string a : 3; };
