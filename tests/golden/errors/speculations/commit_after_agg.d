/*
 * commit( ) after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_COMM_DREC */
BEGIN { @ = count(); commit(1); }
