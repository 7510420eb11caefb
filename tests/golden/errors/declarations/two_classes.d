/*
 * Two storage classes.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_CLASS; d-language 7.1 two-classes */
self this int x;

BEGIN { trace(1); }
