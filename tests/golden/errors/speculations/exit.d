/*
 * exit( ) after speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_EXIT_SPEC */
BEGIN { speculate(1); exit(0); }
