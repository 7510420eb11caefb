/*
 * What follows the file name are numbers.
 * @ref d-language 18
 * @ref d-errors 2.7
 * @args -x errtags
 */
# 5 "a.d" b
BEGIN { trace(1); }
