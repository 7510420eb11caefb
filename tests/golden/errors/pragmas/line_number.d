/*
 * The line that a # and a number say.
 * @args -x errtags
 */
# 100
BEGIN { trace(nosuch); }
