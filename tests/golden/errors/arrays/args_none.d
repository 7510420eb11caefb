/*
 * args[] outside a clause.
 * @args -x errtags
 * @ref d-errors 2.6 D_ARGS_NONE; d-language 16.3 outside-clause */
inline int z = args[0];
