/*
 * A file name with no end.
 * @ref d-language 18
 * @ref d-errors 2.7
 * @args -x errtags
 * @ref d-language 18; d-errors 2.7 D_PRAGMA_MALFORM */
# 5 "a.d
BEGIN { trace(1); }
