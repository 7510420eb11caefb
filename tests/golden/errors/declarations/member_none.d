/*
 * A member with no name.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 */
struct s { int; };

BEGIN { trace(1); }
