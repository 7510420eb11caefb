/*
 * long and short exclude each other.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_COMBO
 * @ref d-language 7.1 combination
 */
short long x;
