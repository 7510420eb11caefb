/*
 * A description in a command-line program.
 * @args -x errtags -n nosuch:::
 */
BEGIN { trace(1); }
