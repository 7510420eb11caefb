/*
 * An aggregation after commit( ).
 * @args -x errtags
 * @ref d-errors 2.12
 */
BEGIN { commit(1); @ = count(); }
