/*
 * The value of an enumerator is an int.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ENOFLOW
 * @ref d-language 7.4 overflow
 */
enum e { A = -2147483649 };
