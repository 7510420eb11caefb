/*
 * The line that a # and a number say.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 18 line; d-language 1.1 line-numbers */
# 100
BEGIN { trace(nosuch); }
