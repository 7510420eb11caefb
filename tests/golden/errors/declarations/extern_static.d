/*
 * Two classes.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_CLASS
 * @ref d-language 7.1 two-classes
 */
extern static int x;
