/*
 * args[] outside a clause.
 * @args -x errtags
 */
inline int z = args[0];
