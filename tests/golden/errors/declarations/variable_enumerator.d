/*
 * The name of a variable is no enumerator.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 * @ref d-language 7.2 enumerator-redefined
 */
int A;
enum e { A };
