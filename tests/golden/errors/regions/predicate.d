/*
 * In a command-line program the part stands where scripts have a line: the predicate.
 * @args -x errtags -n 'BEGIN /nosuch/ { trace(1); }'
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 1.1 regions; d-errors 1.1 region specifier; cli 3.3 in-predicate */
BEGIN { trace(1); }
