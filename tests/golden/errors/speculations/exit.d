/*
 * exit( ) after speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { speculate(1); exit(0); }
