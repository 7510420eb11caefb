/*
 * A struct and no ; before a declaration of a typedef.
 * @ref d-language 7.1
 * @ref d-errors 2.13 D_DECL_COMBO
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13 D_DECL_COMBO */
struct s { int a; }
pid_t x;

BEGIN { trace(1); }
