/*
 * A translator ends in a ;.
 * @ref d-language 3
 * @args -x errtags
 */
struct s { int a; };
translator struct s < int i > { a = i; }
BEGIN { trace(1); }
