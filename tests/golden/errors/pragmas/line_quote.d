/*
 * A file name with no end.
 * @ref d-language 18
 * @ref d-errors 2.7
 * @args -x errtags
 */
# 5 "a.d
BEGIN { trace(1); }
