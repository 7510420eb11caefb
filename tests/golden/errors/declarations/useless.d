/*
 * Nothing is declared.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_USELESS; d-language 7.1 useless */
extern int;

BEGIN { trace(1); }
