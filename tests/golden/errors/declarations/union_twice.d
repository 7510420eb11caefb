/*
 * The tag of a union has one body, even the same.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_TYPERED
 * @ref d-language 7.2 tag-redefined
 */
union u { int a; };
union u { int a; };
