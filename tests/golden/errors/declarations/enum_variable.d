/*
 * The value of an enumerator is a constant.
 * @args -x errtags
 * @ref d-errors 2.13
 */
enum e { A = pid };
