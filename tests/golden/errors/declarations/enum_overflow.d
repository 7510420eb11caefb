/*
 * The value of an enumerator is an int.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_ENOFLOW */
enum e { A = 2147483648 };
