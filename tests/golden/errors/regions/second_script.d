/*
 * Programs are compiled in their order.
 * @args -x errtags -s second_script.d -n 'BEGIN { trace(nosuch); }'
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-errors 1.1 specifier */
BEGIN { trace(1); }
