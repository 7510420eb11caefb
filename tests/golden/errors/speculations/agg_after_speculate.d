/*
 * An aggregation after speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_AGG_SPEC */
BEGIN { speculate(1); @ = count(); }
