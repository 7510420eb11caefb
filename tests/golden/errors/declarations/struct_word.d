/*
 * A struct and a type word.
 * @ref d-language 7.1
 * @ref d-errors 2.13 D_DECL_COMBO
 * @args -x errtags
 * @ref d-language 7.1; d-errors 2.13 D_DECL_COMBO */
struct s { int a; } int x;

BEGIN { trace(1); }
