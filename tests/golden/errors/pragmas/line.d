/*
 * The file and the line that #line says.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 18 line; d-errors 1.1 file */
#line 100 "other.d"
BEGIN { trace(nosuch); }
