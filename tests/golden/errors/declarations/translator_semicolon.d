/*
 * A translator ends in a ;.
 * @ref d-language 3
 * @args -x errtags
 * @ref d-language 3; d-errors 2.1 D_SYNTAX */
struct s { int a; };
translator struct s < int i > { a = i; }
BEGIN { trace(1); }
