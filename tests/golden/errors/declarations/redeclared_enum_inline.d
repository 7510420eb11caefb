/*
 * The name of an inline is no enumerator.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 built-in-name
 */
inline int N = 1;
enum e { N };
