/*
 * An anonymous struct as a member.
 * @ref d-language 7.1
 * @ref d-errors 2.13
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13; d-errors 2.1 D_SYNTAX */
struct s { int a; struct { int b; }; };

BEGIN { trace(1); }
