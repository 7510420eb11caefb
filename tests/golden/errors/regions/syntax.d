/*
 * A syntax error in a command-line program.
 * @args -x errtags -n 'BEGIN { trace(1) } END { 1 + }'
 */
BEGIN { trace(1); }
