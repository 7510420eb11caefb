/*
 * A typedef has one type.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_TYPERED
 * @ref d-language 7.2 typedef-name
 */
typedef int number;
typedef int number;
typedef char number;
