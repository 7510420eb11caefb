/*
 * The name of a built-in variable.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED; d-language 7.2 built-in-name */
int pid;

BEGIN { trace(1); }
