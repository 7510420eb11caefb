/*
 * Only the name of an array can follow in.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 21; d-errors 2.1 D_SYNTAX */
BEGIN { foreach (k in f(1)) trace(k); }
