/*
 * An anonymous struct as a member.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 */
struct s { int a; struct { int b; }; };

BEGIN { trace(1); }
