/*
 * A description in a command-line program.
 * @args -x errtags -n nosuch:::
 * @ref d-errors 2.2 D_PDESC_ZERO; d-errors 1.1 specifier */
BEGIN { trace(1); }
