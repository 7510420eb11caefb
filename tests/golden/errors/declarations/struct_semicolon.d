/*
 * A struct and no ; before the next one.
 * @ref d-language 7.1
 * @ref d-errors 2.13 D_DECL_COMBO
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13 D_DECL_COMBO */
struct s { int a; }
struct t { int b; };

BEGIN { trace(1); }
