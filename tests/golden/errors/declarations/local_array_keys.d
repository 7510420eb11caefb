/*
 * Several keys, clause-local.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_LOCASSC
 * @ref d-language 7.3 this-associative
 */
this string a[int, string];
