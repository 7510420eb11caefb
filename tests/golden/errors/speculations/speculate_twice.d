/*
 * A second speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { speculate(1); speculate(1); }
