/*
 * #line without a number.
 * @args -x errtags
 */
#line nonsense
BEGIN { trace(1); }
