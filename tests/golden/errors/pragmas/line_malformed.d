/*
 * #line without a number.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGMA_MALFORM; d-language 18 line-malformed */
#line nonsense
BEGIN { trace(1); }
