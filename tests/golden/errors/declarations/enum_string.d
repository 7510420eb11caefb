/*
 * The value of an enumerator is an integer constant.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ENCONST
 * @ref d-language 7.4 not-constant
 */
enum e { A = "a" };
