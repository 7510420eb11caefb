/*
 * A member of a type that is not known.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 */
struct s { nosuch_t a; };

BEGIN { trace(1); }
