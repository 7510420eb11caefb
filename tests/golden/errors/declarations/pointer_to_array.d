/*
 * A pointer to an associative array.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_DYNOBJ */
int (*a)[int];

BEGIN { trace(1); }
