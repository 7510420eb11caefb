/*
 * The name of an inline.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 built-in-name; d-language 13 redefined */
inline int x = 1;
int x;

BEGIN { trace(1); }
