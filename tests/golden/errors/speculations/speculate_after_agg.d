/*
 * speculate( ) after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { @ = count(); speculate(1); }
