/*
 * print( ) of what has no size.
 * @args -x errtags
 * @ref d-errors 2.10
 */
BEGIN { print((void *)arg0); }
