/*
 * A second speculate( ).
 * @args -x errtags
 * @ref d-errors 2.12
 * @ref d-errors 2.12 D_SPEC_SPEC; d-language 17.1 after-speculate */
BEGIN { speculate(1); speculate(1); }
