/*
 * A clause-local associative array.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_LOCASSC; d-language 7.3 this-associative */
this int a[int];

BEGIN { trace(1); }
