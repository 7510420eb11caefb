/*
 * A variable of a struct that is only named.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_INCOMPLETE; d-language 7.1 incomplete-object */
struct no_such_struct x;

BEGIN { trace(1); }
