/*
 * As many names as the array has keys.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN
 */
BEGIN { x[1, "a"] = 1; foreach (k in x) trace(k); }
