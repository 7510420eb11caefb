/*
 * The name of a type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 typedef-name */
typedef int my_t;
int my_t;

BEGIN { trace(1); }
