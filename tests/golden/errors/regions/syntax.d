/*
 * A syntax error in a command-line program.
 * @args -x errtags -n 'BEGIN { trace(1) } END { 1 + }'
 * @ref d-errors 2.1 D_SYNTAX; d-errors 1.1 specifier */
BEGIN { trace(1); }
