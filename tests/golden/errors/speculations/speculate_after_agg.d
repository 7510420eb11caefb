/*
 * speculate( ) after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_SPEC_DREC */
BEGIN { @ = count(); speculate(1); }
