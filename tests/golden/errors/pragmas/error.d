/*
 * #error.
 * @args -x errtags
 */
#error stop here
BEGIN { trace(1); }
