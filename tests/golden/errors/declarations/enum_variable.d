/*
 * The value of an enumerator is a constant.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_ENCONST */
enum e { A = pid };
