/*
 * commit( ) after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { @ = count(); commit(1); }
