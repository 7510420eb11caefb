/*
 * A destructive action after speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_ACT_SPEC */
BEGIN { speculate(1); raise(9); }
