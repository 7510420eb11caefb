/*
 * An enumerator is no name of a variable.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 enumerator-redefined
 */
enum e { A };
int A;
