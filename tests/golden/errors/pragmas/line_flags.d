/*
 * What follows the file name are numbers.
 * @ref d-language 18
 * @ref d-errors 2.7
 * @args -x errtags
 * @ref d-language 18; d-errors 2.7 D_PRAGMA_MALFORM */
# 5 "a.d" b
BEGIN { trace(1); }
