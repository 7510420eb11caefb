/*
 * An aggregation after commit( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_AGG_COMM */
BEGIN { commit(1); @ = count(); }
