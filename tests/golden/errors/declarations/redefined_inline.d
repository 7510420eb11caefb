/*
 * An inline defined twice.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 13 redefined; d-language 7.2 built-in-name */
inline int x = 1;
inline int x = 2;

BEGIN { trace(1); }
