/*
 * The file and the line that #line says.
 * @args -x errtags
 */
#line 100 "other.d"
BEGIN { trace(nosuch); }
