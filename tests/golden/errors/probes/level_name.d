/*
 * -n takes four parts.
 * @args -x errtags -n a:b:c:d:e
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 overspecified; d-errors 1.1 specifier */
BEGIN { trace(1); }
