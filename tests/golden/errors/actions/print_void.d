/*
 * print( ) of what has no size.
 * @args -x errtags
 * @ref d-errors 2.10
 * @ref d-errors 2.10 D_PRINT_SIZE; d-builtins 4 print-errors */
BEGIN { print((void *)arg0); }
